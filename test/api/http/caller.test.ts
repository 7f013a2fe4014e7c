import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { callerAddress } from '../../../api/http/caller.ts';
import { trustProxies, type ProxyTrust } from '../../../api/http/proxies.ts';
import type { ApiEnv } from '../../../api/http/env.ts';

const PROXY = '10.0.0.1';

/** Who the limits believe to call, when this proxy says so. */
async function callerAs(told: string, isTrusted: ProxyTrust = trustProxies([PROXY])): Promise<string> {
  const app = new Hono<ApiEnv>();
  app.get('/', (c) => c.text(callerAddress(c, isTrusted)));
  const env = { incoming: { socket: { remoteAddress: PROXY } } };
  const answer = await app.request('/', { headers: { 'x-forwarded-for': told } }, env);
  return answer.text();
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::a:b:c:d:e', '2001:db8:0:a::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', async (told, counted) => {
  expect(await callerAs(told)).toBe(counted);
});

test('two addresses of one network are one caller, those of two are two', async () => {
  const [one, other, third] = await Promise.all(
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1'].map((told) => callerAs(told)),
  );
  expect(one).toBe(other);
  expect(third).not.toBe(one);
});

/** A caller writes anything before what the proxy adds. */
const FORGED = '198.51.100.1, 203.0.113.7';

test('what a caller writes into the header by itself does not count', async () => {
  expect(await callerAs(FORGED)).toBe('203.0.113.7');
  expect(await callerAs(FORGED, trustProxies([]))).toBe(PROXY);
});

test('CONTROL: where every address is trusted the caller is who it says it is', async () => {
  expect(await callerAs(FORGED, () => true)).toBe('198.51.100.1');
});
