/** What the operator sets at each platform and in a cluster is what the code and the manifests have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signInName } from '../../core/config/variables.ts';
import { OAUTH_PLATFORMS, platformRow } from '../../core/platforms/platforms.ts';
import { SETTING_EXAMPLES } from '../../bot/communities/settings-facts.ts';
import { PLATFORM_IDENTITIES } from '../../identity/platforms/platforms.ts';
import { PROGRAMS } from '../../scripts/compile.mjs';
import { at, listAt, parseYaml, textAt } from '../deploy/yaml.ts';
import { readDocument, shownAfter } from './shown.ts';

const operating = readDocument('operating.md');

test.each(OAUTH_PLATFORMS)('the app for %s has the callback and the scopes of the code', (platform) => {
  const { title } = platformRow(platform);
  const [, , callback = '', scopes = '', settings = ''] =
    operating
      .split('\n')
      .find((line) => line.startsWith(`| ${title} |`))
      ?.split('|')
      .slice(1) ?? [];
  const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(named(callback)).toEqual([`/claims/callback/${platform}`]);
  expect(named(scopes).join(' ')).toBe(PLATFORM_IDENTITIES[platform].provider.scope);
  const needs = PLATFORM_IDENTITIES[platform].needs ?? [];
  const client = [signInName(platform, 'CLIENT_ID'), signInName(platform, 'CLIENT_SECRET')];
  expect(named(settings).toSorted()).toEqual([...client, ...needs].toSorted());
});

test('the pass on Kubernetes is made for each pod of the manifests, in its container', () => {
  const shown = shownAfter('operating.md', 'On Kubernetes the pass');
  const documents = parseYaml(readFileSync(join(import.meta.dirname, '../../deploy/kubernetes.yaml'), 'utf8'));
  const sets = documents.filter((one) => at(one, 'kind') === 'StatefulSet');
  const [, roles = ''] = /for role in ([a-z ]+);/.exec(shown) ?? [];
  const [, numbers = ''] = /for number in ([0-9 ]+);/.exec(shown) ?? [];
  expect(roles.split(' ').toSorted()).toEqual(
    sets.map((set) => textAt(set, 'spec', 'template', 'spec', 'containers', '0', 'name')).toSorted(),
  );
  for (const set of sets) {
    const name = textAt(set, 'metadata', 'name');
    const role = textAt(set, 'spec', 'template', 'spec', 'containers', '0', 'name');
    expect(shown.replaceAll('$role', role)).toContain(`pod/${name}-$number`);
    expect(Array.from({ length: Number(at(set, 'spec', 'replicas')) }, (_, index) => String(index))).toEqual(
      numbers.split(' '),
    );
    // Its DATA_DIR is that volume, so the pass outlives the copy.
    const mounts = listAt(set, 'spec', 'template', 'spec', 'containers', '0', 'volumeMounts');
    expect(mounts.map((mount) => textAt(mount, 'mountPath'))).toContain('/var/lib/pennypost');
  }
  const [, program = ''] = /node scripts\/program\.mjs (\S+)/.exec(shown) ?? [];
  expect(PROGRAMS).toContain(program);
});

test('moderators read of each setting how it is changed', () => {
  const moderating = readDocument('moderating.md');
  const missing = Object.values(SETTING_EXAMPLES).filter((example) => !moderating.includes(`\`${example}\``));
  expect(missing).toEqual([]);
});
