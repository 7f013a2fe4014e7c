import { expect, test } from 'vitest';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { createLocalIdentity, localUserId } from '../../local/identity.ts';

const identity = createLocalIdentity('configured');

test.each([
  ['discord', '175928847299117063'],
  ['telegram', '1759288472'],
  ['email', 'alice@example.com'],
  ['web', 'example.com'],
] as const)('an account on %s is who its name says, so that it can collect', async (platform, name) => {
  const recipient = parseRecipient(platform, name);
  expect(await identity.resolve(recipient)).toEqual({ kind: 'found', stableId: name });
  expect(identity.peek(recipient)).toEqual({ kind: 'found', stableId: name });
});

test('a handle that can be looked up has a user id of its own', async () => {
  const recipient = parseRecipient('x', 'alice');
  expect(await identity.resolve(recipient)).toEqual({ kind: 'found', stableId: localUserId(recipient) });
});

test('a name of a chat is nobody’s, as outside local mode: under an invented id nobody could collect', async () => {
  const recipient = parseRecipient('telegram', 'alice_b');
  expect(await identity.resolve(recipient)).toEqual({ kind: 'unavailable' });
  expect(identity.peek(recipient)).toEqual({ kind: 'unavailable' });
});
