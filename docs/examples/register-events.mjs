import { privateKeyToAccount } from 'viem/accounts';

// The account that pays says where it wants to be told.
const account = privateKeyToAccount(process.env.PENNYPOST_BASE_KEY);
const url = process.env.EVENTS_URL;
const valid_before = Math.floor(Date.now() / 1000) + 300;
const signature = await account.signTypedData({
  domain: { name: 'pennypost', version: '1', chainId: 8453 },
  types: {
    RegisterEndpoint: [
      { name: 'url', type: 'string' },
      { name: 'validBefore', type: 'uint256' },
    ],
  },
  primaryType: 'RegisterEndpoint',
  message: { url, validBefore: BigInt(valid_before) },
});
const response = await fetch(`${process.env.PENNYPOST_URL}/events/endpoints`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ network: 'base', payer: account.address, url, valid_before, signature }),
});
console.log(JSON.stringify(await response.json()));
