import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPagesApp } from '../../../api/pages/app.ts';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
let dependencies: ApiDependencies | undefined;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    runWorker: false,
    decorate: (plain) => (dependencies = plain),
  });
});
afterAll(async () => {
  await service?.close();
  await chain?.close();
});

/** What `curl` would be handed by a shell that the command is pasted into. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test.each([true, false])('the start page’s command, pasted, asks for the price (play money: %s)', async (localMode) => {
  if (dependencies === undefined) throw new Error('the test service did not hand out its dependencies');
  const settings = { ...dependencies.settings, localMode };
  const html = await (await createPagesApp({ ...dependencies, settings }).request('/')).text();
  const command = /data-copy="([^"]*)" data-copied="Command copied"/.exec(html)?.[1] ?? '';
  const [flag, url = '', header, type = '', data, body = '', ...more] = argumentsOf(unescape(command));
  expect([flag, header, data, more]).toEqual(['-i', '-H', '-d', []]);
  const answer = await fetch(url, { method: 'POST', headers: [type.split(': ') as [string, string]], body });
  expect(answer.status).toBe(402);
  expect(await answer.json()).toMatchObject({ error: 'payment_required', accepts: [{ maxAmountRequired: '10000' }] });
});

function unescape(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
