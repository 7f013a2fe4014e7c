/** What an operator installs: the files of `deploy/`, held against the service and against the tools that Debian has. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECRET_NAMES, VARIABLE_NAMES } from '../../core/config/variables.ts';
import { GAUGES } from '../../api/metrics/gauges.ts';
import { PROGRAMS } from '../../scripts/compile.mjs';
import { isIgnored } from './ignored.ts';
import { at, keysOf, listAt, parseYaml, textAt } from './yaml.ts';

const ROOT = join(import.meta.dirname, '../..');
const SYSTEMD = '/usr/bin/systemd-analyze';
const ROLES = ['api', 'bot', 'worker'];
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const unitOf = (role: string) => read(`deploy/systemd/pennypost-${role}.service`);
/** Node reads one of them itself. */
const SETTINGS = [...VARIABLE_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`), 'NODE_ENV'];

describe.each(ROLES)('the unit of the role %s', (role) => {
  test('runs that role and nothing else, without rights', () => {
    const text = unitOf(role);
    expect(text).toContain(`ExecStart=/usr/bin/node scripts/program.mjs main.ts ${role}\n`);
    expect(PROGRAMS).toContain('main.ts');
    for (const line of ['User=pennypost', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet='])
      expect(text.split('\n')).toContain(line);
    expect(text).toContain('Restart=on-failure\n');
    expect(text).toContain('TimeoutStopSec=30\n');
  });

  test('sets what is a setting', () => {
    const [, assignments = ''] = /^Environment=(.+)$/m.exec(unitOf(role)) ?? [];
    const names = assignments.split(' ').map((one) => one.split('=')[0] ?? '');
    expect(names).toContain('DATA_DIR');
    expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });

  test.skipIf(!existsSync(SYSTEMD))('is understood by systemd', () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-unit-'));
    try {
      const file = join(dir, `pennypost-${role}.service`);
      // Where Node is installed differs; every other word is the file's.
      writeFileSync(file, unitOf(role).replace('/usr/bin/node', process.execPath));
      const output = execFileSync(SYSTEMD, ['verify', '--man=no', file], { encoding: 'utf8', stdio: 'pipe' });
      expect(output).toBe('');
      writeFileSync(file, `${unitOf(role)}\n[Service]\nProtectSystm=yes\n`);
      expect(
        execFileSync('bash', ['-c', `${SYSTEMD} verify --man=no "${file}" 2>&1 || true`], { encoding: 'utf8' }),
      ).toContain('ProtectSystm');
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

test('no two units take one port or one folder', () => {
  const environments = ROLES.map((role) => /^Environment=(.+)$/m.exec(unitOf(role))?.[1] ?? '');
  const values = environments.flatMap((text) => text.match(/(?:PORT|DATA_DIR)=\S+/g) ?? []);
  expect(new Set(values).size).toBe(3 * ROLES.length);
  // All units read one file, so that what it says of the console reaches every role.
  const [, console = ''] = /ADMIN_PORT=(\d+) in that file/.exec(unitOf('api')) ?? [];
  expect(Number(console)).toBeGreaterThan(0);
  expect(values.filter((value) => value.endsWith(`=${console}`))).toEqual([]);
});

test('what the compose file hands in goes into no image and no commit', () => {
  const [compose = null] = parseYaml(read('deploy/compose.yaml'));
  const given = [
    ...ROLES.flatMap((role) => listAt(compose, 'services', role, 'env_file').map((file) => textAt(file))),
    ...keysOf(at(compose, 'secrets')).map((name) => textAt(compose, 'secrets', name, 'file')),
    './tls',
  ].map((file) => join('deploy', file));
  expect(given.length).toBeGreaterThan(6);
  for (const file of [...given, '.env', 'data/keystore.json']) {
    expect([file, isIgnored(read('.dockerignore'), file)]).toEqual([file, true]);
    expect([file, isIgnored(read('.gitignore'), file)]).toEqual([file, true]);
  }
  expect(isIgnored(read('.dockerignore'), 'main.ts')).toBe(false);
  // By this one misspelt settings are found.
  expect(isIgnored(read('.dockerignore'), '.env.example')).toBe(false);
  expect(isIgnored(read('.dockerignore'), '.env.production')).toBe(true);
  // None of the other files in that folder is needed by what runs.
  expect(read('deploy/Containerfile')).not.toMatch(/COPY (?!--from)\S*deploy/);
});

describe('the compose file', () => {
  const [compose = null] = parseYaml(read('deploy/compose.yaml'));

  test.each(ROLES)('runs %s apart, read only and with settings that exist', (role) => {
    expect(at(compose, 'services', role, 'command')).toEqual([role]);
    expect(at(compose, 'services', role, 'read_only')).toBe('true');
    expect(at(compose, 'services', role, 'stop_grace_period')).toBe('30s');
    const names = keysOf(at(compose, 'services', role, 'environment'));
    expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
    // Each secret that is named is handed in.
    const files = names.map((name) => textAt(compose, 'services', role, 'environment', name));
    const named = files.flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? []);
    expect(at(compose, 'services', role, 'secrets')).toEqual(named);
    expect(named.filter((name) => !keysOf(at(compose, 'secrets')).includes(name))).toEqual([]);
  });

  test('keeps what Redis and PostgreSQL write, and gives no role a folder of another', () => {
    expect(at(compose, 'services', 'redis', 'command')).toEqual(expect.arrayContaining(['--appendonly', 'noeviction']));
    const volumes = keysOf(at(compose, 'services')).flatMap((name) => listAt(compose, 'services', name, 'volumes'));
    const sources = volumes.map((volume) => textAt(volume).split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
    expect([...sources].sort()).toEqual([...keysOf(at(compose, 'volumes'))].sort());
  });
});

test('the proxy lets the headers of a 402 pass, hides the metrics, and knows the paths of the bot', () => {
  const text = read('deploy/nginx.conf');
  const [, paths = ''] = /const BOT_PATHS = \/\^\\\/\(\?:([a-z|]+)\)/.exec(read('service/start.ts')) ?? [];
  const [, sent = ''] = /location ~ \^\/\(([a-z|]+)\)/.exec(text) ?? [];
  expect(paths.split('|').sort()).toEqual(sent.split('|').sort());
  expect(text).toContain('proxy_buffers 8 16k;');
  expect(text).toMatch(/location = \/metrics \{\s+return 404;/);
});

test('the console is reached from the host, through a tunnel, or by a name that somebody opens, and by nobody else', () => {
  const [compose = null] = parseYaml(read('deploy/compose.yaml'));
  const published = keysOf(at(compose, 'services')).flatMap((name) =>
    keysOf(at(compose, 'services', name)).includes('ports') ? listAt(compose, 'services', name, 'ports') : [],
  );
  expect(published.map((port) => textAt(port)).sort()).toEqual(['127.0.0.1:8405:8405', '443:443']);
  const open = read('deploy/nginx.conf')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(open.join('\n')).not.toContain('8405');
  expect(read('deploy/nginx.conf')).toContain('#  deny all;');
  const services = parseYaml(read('deploy/kubernetes.yaml')).filter((one) => at(one, 'kind') === 'Service');
  const ports = services.flatMap((one) => listAt(one, 'spec', 'ports').map((port) => textAt(port, 'port')));
  expect(ports).toHaveLength(6);
  expect(ports).not.toContain('8405');
});

test('the manifests run each role with probes, a budget, and a folder of its own', () => {
  const documents = parseYaml(read('deploy/kubernetes.yaml'));
  const sets = documents.filter((one) => at(one, 'kind') === 'StatefulSet');
  const budgets = documents.filter((one) => at(one, 'kind') === 'PodDisruptionBudget');
  const nameOf = (one: (typeof documents)[number]) => textAt(one, 'metadata', 'name');
  expect(sets.map(nameOf).sort()).toEqual(ROLES.map((role) => `pennypost-${role}`));
  expect(budgets.map(nameOf).sort()).toEqual(sets.map(nameOf).sort());
  for (const set of sets) {
    const pod = at(set, 'spec', 'template', 'spec');
    const container = at(pod, 'containers', '0');
    expect(at(set, 'spec', 'selector', 'matchLabels')).toEqual(at(set, 'spec', 'template', 'metadata', 'labels'));
    expect(at(container, 'readinessProbe', 'httpGet', 'path')).toBe('/health/ready');
    expect(at(container, 'livenessProbe', 'httpGet', 'path')).toBe('/health/live');
    expect(at(pod, 'securityContext', 'runAsNonRoot')).toBe('true');
    expect(at(pod, 'terminationGracePeriodSeconds')).toBe('30');
    expect(at(set, 'spec', 'volumeClaimTemplates', '0', 'metadata', 'name')).toBe('data');
    const names = listAt(container, 'env').map((one) => textAt(one, 'name'));
    expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  }
});

describe('the image', () => {
  const text = read('deploy/Containerfile');

  test('sets what is a setting, and runs as nobody', () => {
    const names = [...text.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((one) => one.split('=')[0] ?? ''),
    );
    expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
    expect(text).toContain('\nUSER 8402:8402\n');
    expect(text).toContain('npm ci --omit=dev');
  });

  test('needs no library that only tests have: what the programs import is installed, or left to where it is used', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    const compiler = read('scripts/compile.mjs');
    const found = sourcesOf([
      'main.ts',
      'api',
      'bot',
      'chain',
      'cli',
      'client',
      'core',
      'db',
      'identity',
      'local',
      'queue',
      'service',
      'web',
      'worker',
    ]).flatMap((file) =>
      [...read(file).matchAll(/^import (?!type).*? from '([^'.][^']*)';$/gm)].flatMap(([, name = '']) => {
        const library = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? '');
        const isLeft = compiler.includes(`'${library}'`) || compiler.includes(`'${library.split('/')[0]}/*'`);
        return library in devDependencies && !isLeft && !isLeftOut(file) ? [`${file}: ${library}`] : [];
      }),
    );
    expect(found).toEqual([]);
  });
});

/** No program reads the settings of drizzle-kit; `ws` comes with libraries that run too. */
const isLeftOut = (file: string) => file.startsWith('db/drizzle-') || file === 'local/solana/server/websocket.ts';

function sourcesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    path.endsWith('.ts')
      ? [path]
      : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
          .filter((entry) => entry.endsWith('.ts') && !entry.startsWith('assets/'))
          .map((entry) => join(path, entry)),
  );
}

describe('the dashboard for Grafana', () => {
  type Panel = { id: number; type: string; title: string; gridPos: Place; targets?: { expr: string }[] };
  type Place = { x: number; y: number; w: number; h: number };
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as { panels: Panel[]; uid: string };
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  /** Printed by the API's own counters, and by the library for each process. */
  const OTHERS: Record<string, readonly string[]> = {
    pennypost_http_requests_total: ['route', 'method', 'status'],
    pennypost_http_request_duration_seconds_bucket: ['route', 'method', 'status', 'le'],
    pennypost_chat_acknowledge_seconds_bucket: ['transport', 'le'],
    process_resident_memory_bytes: [],
    process_cpu_seconds_total: [],
    nodejs_eventloop_lag_p99_seconds: [],
  };
  const labelsOf = (name: string) => GAUGES.find((row) => row.name === name)?.labelNames ?? OTHERS[name];

  test('asks for metrics that are printed, by labels that these have', () => {
    for (const expression of expressions) {
      const [name = ''] = /(?:pennypost|process|nodejs)_\w+/.exec(expression) ?? [];
      expect([expression, labelsOf(name)]).not.toEqual([expression, undefined]);
      const used = [...expression.matchAll(/by \(([\w, ]+)\)|(\w+)=~?"/g)].flatMap(
        ([, by = '', label]) => label ?? by.split(', '),
      );
      expect([expression, used.filter((label) => labelsOf(name)?.includes(label) !== true)]).toEqual([expression, []]);
    }
  });

  test('shows every gauge of money, of what waits and of alarms', () => {
    const left = [
      'pennypost_database_up',
      'pennypost_network_out',
      'pennypost_second_node_compared',
      'pennypost_scan_cursor_block',
    ];
    const names = GAUGES.map(({ name }) => name).filter((name) => !left.includes(name));
    expect(names.filter((name) => !expressions.some((one) => one.includes(name)))).toEqual([]);
  });

  test('has no two panels in one place, nor of one number', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const covers = (one: Place, other: Place) =>
      one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
    const over = panels.filter((one) => panels.some((other) => other !== one && covers(one.gridPos, other.gridPos)));
    expect(over.map(({ title }) => title)).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});
