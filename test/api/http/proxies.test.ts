import { expect, test } from 'vitest';
import { trustProxies } from '../../../api/http/proxies.ts';

test.each([
  ['10.1.2.3', true],
  ['10.255.255.255', true],
  ['11.0.0.1', false],
  ['192.0.2.7', true],
  ['192.0.2.8', false],
  ['2001:db8:7::1', true],
  ['2001:db8:8::1', false],
  ['::1', true],
  ['unknown', false],
  ['', false],
])('%s is trusted: %s', (address, isTrusted) => {
  expect(trustProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8:7::/48', '::1'])(address)).toBe(isTrusted);
});
