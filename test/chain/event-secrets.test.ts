import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createEventSecrets } from '../../chain/event-secrets.ts';

const KEY = new Uint8Array(32).fill(7);
const secrets = createEventSecrets(new Map([['base', KEY]]));
const ID = 'ep_AAAAAAAAAAAAAAAAAAAAAA';

test('the secret of an endpoint is pinned: its owner was shown it once', () => {
  expect(secrets.secretOf('base', ID)).toBe('whsec_BLdmSTYJBcfyrUMNy90HAHS3R7uXjT/6w8B5I4WD09c=');
});

test('every endpoint, network and key has another', () => {
  const other = createEventSecrets(
    new Map([
      ['base', new Uint8Array(32).fill(8)],
      ['polygon', KEY],
    ]),
  );
  const all = [
    secrets.secretOf('base', ID),
    secrets.secretOf('base', 'ep_AAAAAAAAAAAAAAAAAAAAAB'),
    other.secretOf('base', ID),
    other.secretOf('polygon', ID),
  ];
  expect(new Set(all).size).toBe(4);
});

test('where the key of a network is gone nothing is signed', () => {
  expect([secrets.secretOf('solana', ID), secrets.sign('solana', ID, 'x')]).toEqual([null, null]);
});

test('the published library verifies what is signed, and nothing that was changed', () => {
  const timestamp = Math.floor(Date.now() / 1_000);
  const body = '{"type":"payment.settled"}';
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.sign('base', ID, `msg_1.${timestamp}.${body}`) ?? '',
  };
  const webhook = new Webhook(secrets.secretOf('base', ID) ?? '');
  expect(webhook.verify(body, headers)).toEqual({ type: 'payment.settled' });
  expect(() => webhook.verify(`${body} `, headers)).toThrow();
  expect(() => webhook.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
});
