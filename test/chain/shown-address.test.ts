import { expect, test } from 'vitest';
import { shownAddress } from '../../chain/shown-address.ts';

test.each([
  // The examples of EIP-55.
  ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['0xDBF03B407C01E7CD3CBEA99509D93F8DDDC8C6FB', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
])('an address whose case is a checksum is shown with it: %s', (stored, shown) => {
  expect(shownAddress(stored)).toBe(shown);
});

test.each(['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', `0x${'ab'.repeat(32)}`, '0xabc', ''])(
  'all else stays as it is: %s',
  (text) => {
    expect(shownAddress(text)).toBe(text);
  },
);
