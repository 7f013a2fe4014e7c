import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { maskEmail, maskEmailsIn } from '../../../core/platforms/email.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';

function refusal(receiver: string): string {
  try {
    parseRecipient('email', receiver);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_receiver') return error.context.detail ?? '';
    throw error;
  }
  throw new Error(`email accepted ${JSON.stringify(receiver)}, expected a refusal`);
}

const LABEL_63 = 'd'.repeat(63);

test.each([
  ['alice@example.com', 'alice@example.com'],
  [' Alice@Example.COM ', 'alice@example.com'],
  ['a.l.i.c.e+tag@gmail.com', 'a.l.i.c.e+tag@gmail.com'],
  ['alice@Bücher.de', 'alice@xn--bcher-kva.de'],
  ['alice@mail.example.co.uk', 'alice@mail.example.co.uk'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ['x_!#$%&*+/=?^{|}~-@example.com', 'x_!#$%&*+/=?^{|}~-@example.com'],
])('%j is the address %s', (receiver, key) => {
  expect(parseRecipient('email', receiver)).toEqual({ platform: 'email', key, display: receiver.trim() });
});

test('dots and tags keep people apart', () => {
  const keys = ['al.ice@gmail.com', 'alice@gmail.com', 'alice+1@gmail.com'].map(
    (text) => parseRecipient('email', text).key,
  );
  expect(new Set(keys).size).toBe(3);
});

test('an address may have 254 octets, counted with the domain as an A-label, and not one more', () => {
  const exact = `${'a'.repeat(57)}@${LABEL_63}.${LABEL_63}.${LABEL_63}.com`;
  expect(exact).toHaveLength(253);
  expect(parseRecipient('email', `a${exact}`).key).toHaveLength(254);
  expect(refusal(`aa${exact}`)).toContain('is longer than 254 octets');
});

test.each([
  ['alice', 'has no "@"'],
  ['@example.com', 'has no "@"'],
  ['alice@', 'has a wrong part after the "@": it has no host'],
  ['@@example.com', 'has nothing before the "@"'],
  ['alice@bob@example.com', `contains '@'`],
  ['a@example.com,b@example.com', `contains '@'`],
  ['a,b@example.com', `contains ','`],
  ['a;b@example.com', `contains ';'`],
  ['"alice"@example.com', `contains '"'`],
  ["o'brien@example.com", `contains '''`],
  ['`id`@example.com', "contains '`'"],
  ['Alice <alice@example.com>', 'contains a space'],
  ['<alice@example.com>', `contains '<'`],
  ['al ice@example.com', 'contains a space'],
  ['alice@exam ple.com', 'contains a space'],
  ['alice@example.com\r\nBcc: bob@example.com', 'contains U+000D CARRIAGE RETURN'],
  ['alice@example.com\n', 'contains U+000A LINE FEED'],
  ['alice\u0000@example.com', 'contains U+0000 NULL'],
  ['.alice@example.com', 'has a dot at the wrong place'],
  ['alice.@example.com', 'has a dot at the wrong place'],
  ['al..ice@example.com', 'has a dot at the wrong place'],
  [`${'a'.repeat(65)}@example.com`, 'has more than 64 characters before the "@"'],
  ['alice@localhost', 'it has one part only'],
  ['alice@127.0.0.1', 'it is an IP address'],
  ['alice@[127.0.0.1]', 'it is an IP address'],
  ['alice@2130706433', 'it is an IP address'],
  ['alice@example.com.', 'it has an empty part between dots'],
  ['alice@example.com:25', `it contains ':'`],
  ['alice@example.com/x', `it contains '/'`],
  ['alice@printer.local', 'it ends in ".local"'],
  ['\u0430lice@example.com', 'contains U+0430 CYRILLIC SMALL LETTER A'],
  ['alicé@example.com', 'contains U+00E9'],
  ['alice@\u0430pple.com', 'it contains U+0430 CYRILLIC SMALL LETTER A'],
])('%j is refused: %s', (receiver, problem) => {
  expect(refusal(receiver)).toContain(problem);
});

test.each([
  ['alice@example.com', 'a***@example.com'],
  ['a@example.com', 'a***@example.com'],
  ['alice', '***'],
  ['@example.com', '***'],
  ['', '***'],
])('%j is masked as %s', (address, masked) => {
  expect(maskEmail(address)).toBe(masked);
});

test('a mask shows one character of the name, and never how long it is', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9.+]{1,64}$/), (local) => {
      expect(maskEmail(`${local}@example.com`)).toBe(`${local.slice(0, 1)}***@example.com`);
    }),
  );
});

test('in a text each address is masked as a whole, whatever its local part is made of', () => {
  expect(maskEmailsIn('email:ann/smith@example.com, and {bob}|@example.org.')).toBe(
    'email:a***@example.com, and {***@example.org.',
  );
});
