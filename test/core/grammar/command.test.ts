import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../core/grammar/command.ts';
import type { GrammarContext } from '../../../core/grammar/recipient.ts';
import { formatUsdc, microUsdc } from '../../../core/money.ts';
import { formatRecipient } from '../../../core/platforms/recipient.ts';
import { anyCharacter } from '../any-character.ts';

/** `x:alice 1 "note"`, `x:a x:b 1 split`, `all`: a tip as one line, a mistake as its code. */
function read(text: string, context: GrammarContext = {}): string {
  const command = parseCommand(text, context);
  if (command.kind === 'mistake') return command.code;
  if (command.kind !== 'tip') return command.kind;
  const names = command.recipients.map((recipient) => formatRecipient(recipient)).join(' ');
  const sum = command.amount.kind === 'exact' ? formatUsdc(command.amount.amount) : command.amount.kind;
  const sharing = command.sharing === 'split' ? ' split' : '';
  return `${names} ${sum}${sharing}${command.note === null ? '' : ` "${command.note}"`}`;
}

const examplesOf = (text: string) => {
  const command = parseCommand(text);
  return command.kind === 'mistake' ? [...command.examples] : [];
};

describe('the command', () => {
  test.each([
    ['/balance', 'balance'],
    ['/BALANCE', 'balance'],
    ['/wallet', 'wallet'],
    ['/wallets', 'wallet'],
    ['  /deposit now', 'deposit'],
    ['help', 'help'],
    ['／help', 'help'],
    ['/start', 'start'],
    ['/help tip', 'help'],
    ['/history', 'history'],
    ['/Language de', 'language'],
    ['/claim', 'claim'],
    ['/link x:alice', 'link'],
    ['/privacy', 'privacy'],
    ['hello there', 'unknown'],
    ['/tpi x:alice 1', 'did_you_mean'],
    ['/tpi', 'unknown'],
    ['', 'unknown'],
    ['/', 'unknown'],
    ['/tip', 'empty_tip'],
    ['tip x:alice 1', 'x:alice 1'],
    ['/tip\nx:alice\n1', 'x:alice 1'],
    [`/tip x:alice 1 ${'a'.repeat(5_000)}`, 'command_too_long'],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('the recipient', () => {
  test.each([
    ['@x:alice', 'x:alice'],
    ['x:alice', 'x:alice'],
    ['x/alice', 'x:alice'],
    ['@x/@Alice', 'x:alice'],
    ['twitter:alice', 'x:alice'],
    ['X:@alice', 'x:alice'],
    ['ｘ：ａｌｉｃｅ', 'x:alice'],
    ['<https://x.com/alice>', 'x:alice'],
    ['https://x.com/alice/status/1', 'x:alice'],
    ['https://x.com/alice', 'x:alice'],
    ['https://www.twitter.com/alice?s=20', 'x:alice'],
    ['x.com/alice', 'x:alice'],
    ['https://github.com/octocat', 'code:octocat'],
    ['gh:octocat', 'code:octocat'],
    ['fc:dwr', 'decsocial:dwr'],
    ['https://farcaster.xyz/dwr', 'decsocial:dwr'],
    ['vitalik.eth', 'decsocial:vitalik.eth'],
    ['alice@example.com', 'email:alice@example.com'],
    ['mail:alice+tips@example.com', 'email:alice+tips@example.com'],
    ['example.com', 'web:example.com'],
    ['https://example.com/', 'web:example.com'],
    ['sub.example.co.uk', 'web:sub.example.co.uk'],
    ['1password.com', 'web:1password.com'],
    ['ig:alice.smith', 'photo:alice.smith'],
    ['tg:123456789', 'telegram:123456789'],
  ])('%s is %s', (name, expected) => {
    expect(read(`/tip ${name} 1`)).toBe(`${expected} 1`);
    expect(read(`/tip 1 ${name}`)).toBe(`${expected} 1`);
  });

  test.each([
    ['@alice', 'which_network'],
    ['alice', 'which_network'],
    ['alice.smith', 'which_network'],
    ['@al\u200Bice', 'which_network'],
    ['mastodon:alice', 'unknown_network'],
    ['mastodon/alice', 'unknown_network'],
    ['х:alice', 'unknown_network'],
    ['x:аlice', 'bad_recipient'],
    ['x:al\u200Bice', 'bad_recipient'],
    ['x:a_name_that_is_far_too_long', 'bad_recipient'],
    ['https://example.com/page', 'bad_recipient'],
    ['https://x.com/i/status/1', 'post_without_author'],
    ['https://github.com/octocat/hello/pull/7', 'post_of_owner'],
    ['x.com', 'platform_domain'],
    ['alice@gmail.con', 'mail_domain'],
    ['еxample.com', 'bad_recipient'],
    ['gh:-octocat', 'bad_recipient'],
    ['@x:', 'which_network'],
    [':)', 'no_recipient'],
  ])('%s is refused: %s', (name, expected) => {
    expect(read(`/tip ${name} 1`)).toBe(expected);
    expect(read(`/tip 1 ${name}`)).toBe(expected);
  });

  test('a bare name is asked about with examples that repeat it where it can exist', () => {
    expect(examplesOf('/tip @alice 1')).toEqual(['/tip x:alice 1', '/tip farcaster:alice 1', '/tip github:alice 1']);
    expect(examplesOf('/tip alice.smith 1')).toEqual(['/tip @x:alice 1']);
    expect(examplesOf('/tip @alice_b 1')).toEqual(['/tip x:alice_b 1']);
    expect(examplesOf('/tip @аlice 1')).toEqual(['/tip x:alice 1', '/tip farcaster:alice 1', '/tip github:alice 1']);
  });

  test('a network and a name in two words are put together', () => {
    expect(read('/tip x alice 1')).toBe('name_in_two_words');
    expect(read('/tip 1 @GitHub octocat')).toBe('name_in_two_words');
    expect(examplesOf('/tip 1 @GitHub octocat')).toEqual(['/tip github:octocat 1']);
  });

  test('a bare name belongs to the network of a transport that has names', () => {
    expect(read('/tip @alice_t 1', { bareNames: 'telegram' })).toBe('telegram:alice_t 1');
    expect(read('/tip x:alice 1', { bareNames: 'telegram' })).toBe('x:alice 1');
  });

  test('a reply needs no name, and a written name counts before it', () => {
    const repliesTo = { platform: 'telegram', key: '42', display: '42' } as const;
    expect(read('/tip 1', { repliesTo })).toBe('telegram:42 1');
    expect(read('/tip 1 to x:bob', { repliesTo })).toBe('x:bob 1');
    expect(read('/tip 1 for x:bob', { repliesTo })).toBe('two_payments');
    expect(read('/tip 1 for the help', { repliesTo })).toBe('telegram:42 1 "for the help"');
    expect(read('/tip 50c thank you', { repliesTo })).toBe('telegram:42 0.5 "thank you"');
    expect(read('/tip x:alice 1', { repliesTo })).toBe('x:alice 1');
    expect(read('/tip 1')).toBe('no_recipient');
  });
});

describe('the amount', () => {
  test.each([
    ['1', '1'],
    ['$1', '1'],
    ['.5', '0.5'],
    ['0,5', '0.5'],
    [',5', '0.5'],
    ['$.5', '0.5'],
    ['0,500', '0.5'],
    ['1,50', '1.5'],
    ['１', '1'],
    ['0.01', '0.01'],
    ['10', '10'],
    ['10.000000', '10'],
    ['1.000001', '1.000001'],
    ['1usd', '1'],
    ['1 USDC', '1'],
    ['1 dollar', '1'],
    ['$1 usdc', '1'],
    ['50¢', '0.5'],
    ['50c', '0.5'],
    ['50 ¢', '0.5'],
    ['50 cents', '0.5'],
    ['1.5c', '0.015'],
    ['1000c', '10'],
    ['all', 'all'],
    ['max', 'all'],
    ['HALF', 'half'],
  ])('%s is %s', (amount, expected) => {
    expect(read(`/tip x:alice ${amount}`)).toBe(`x:alice ${expected}`);
    expect(read(`/tip ${amount} x:alice`)).toBe(`x:alice ${expected}`);
    expect(read(`/tip x:alice ${amount} for lunch`)).toBe(`x:alice ${expected} "for lunch"`);
  });

  test.each([
    ['1,000', 'thousands_separator'],
    ['1,000.50', 'thousands_separator'],
    ['$1,000', 'thousands_separator'],
    ["1'000", 'thousands_separator'],
    ['1 000', 'thousands_separator'],
    ['1k', 'shorthand_amount'],
    ['1 k', 'shorthand_amount'],
    ['$1.5k', 'shorthand_amount'],
    ['2 million', 'shorthand_amount'],
    ['1e1', 'shorthand_amount'],
    ['1e-2', 'shorthand_amount'],
    ['0.0000001', 'too_many_decimals'],
    ['1.1234567', 'too_many_decimals'],
    ['0.00001c', 'too_many_decimals'],
    ['0', 'too_small'],
    ['0.00', 'too_small'],
    ['0.009999', 'too_small'],
    ['.9c', 'too_small'],
    ['11', 'too_large'],
    ['10.000001', 'too_large'],
    ['999999999999', 'too_large'],
    ['1€', 'other_currency'],
    ['€1', 'other_currency'],
    ['1 eur', 'other_currency'],
    ['0.1eth', 'other_currency'],
    ['-1', 'unreadable_amount'],
    ['+1', 'unreadable_amount'],
    ['01', 'unreadable_amount'],
    ['1.2.3', 'unreadable_amount'],
    ['1/2', 'unreadable_amount'],
    ['0x1', 'unreadable_amount'],
    ['1st', 'unreadable_amount'],
    ['$50c', 'unreadable_amount'],
    ['50%', 'counted_amount'],
    ['1.500', 'thousands_separator'],
    ['10.500c', 'thousands_separator'],
  ])('%s is refused: %s', (amount, expected) => {
    expect(read(`/tip x:alice ${amount}`)).toBe(expected);
    expect(read(`/tip ${amount} x:alice`)).toBe(expected);
  });

  test.each([
    ['/tip x:bob 1,000', '/tip x:bob 1'],
    ['/tip 1k gh:octocat', '/tip github:octocat 10'],
    ['/tip x:bob 0.12345678', '/tip x:bob 0.123456'],
    ['/tip x:bob 0', '/tip x:bob 0.01'],
    ['/tip x:bob 11', '/tip x:bob 10'],
    ['/tip x:bob x:eve 25 split', '/tip x:bob x:eve 20 split'],
    ['/tip 1', '/tip @x:alice 1'],
  ])('%s is corrected to %s', (text, example) => {
    expect(examplesOf(text)).toEqual([example]);
  });

  test.each([
    ['/tip x:bob lunch', ['/tip x:bob 1 lunch', '/tip x:bob 2 lunch', '/tip x:bob 5 lunch']],
    [
      '/tip x:bob x:eve for the ride, guys',
      [
        '/tip x:bob x:eve 1 for the ride, guys',
        '/tip x:bob x:eve 2 for the ride, guys',
        '/tip x:bob x:eve 5 for the ride, guys',
      ],
    ],
    ['/tip x:bob a few bucks', ['/tip x:bob 3', '/tip x:bob 1', '/tip x:bob 2']],
    [
      '/tip x:bob 50 pesos por el pan',
      ['/tip x:bob 1 por el pan', '/tip x:bob 2 por el pan', '/tip x:bob 5 por el pan'],
    ],
    ['/tip x:bob not today', ['/tip x:bob 1', '/tip x:bob 2', '/tip x:bob 5']],
  ])('%s leaves the sum open, so there is a choice of sums, with the own words kept', (text, examples) => {
    expect(examplesOf(text)).toEqual(examples);
  });

  test('every example is a command that works', () => {
    const texts = [
      '/tip',
      '/tip @alice 1',
      '/tip x alice 1',
      '/tip 1,000 x:a',
      '/tip x:a 0',
      '/tip x:a 11',
      '/tip x:a y',
    ];
    const long = `/tip x:a 1 ${'n'.repeat(141)}`;
    const crowd = `/tip ${'x:a '.repeat(101)} 1`;
    for (const text of [
      ...texts,
      long,
      crowd,
      '/tip x:a 1e5',
      '/tip x:a€ 1',
      '/tip x:a x:b 0.01 split',
      '/tip z:a 1',
    ]) {
      const examples = examplesOf(text);
      expect(examples.length, text).toBeGreaterThan(0);
      for (const example of examples) expect(parseCommand(example).kind, example).toBe('tip');
    }
  });

  test('no amount, or a word where it belongs', () => {
    expect(read('/tip x:alice')).toBe('no_amount');
    expect(read('/tip x:alice lunch')).toBe('no_amount');
  });
});

describe('several recipients', () => {
  test.each([
    ['/tip x:a x:b 1', 'x:a x:b 1'],
    ['/tip x:a, x:b and gh:c 1 each', 'x:a x:b code:c 1'],
    ['/tip 1 x:a & x:b thanks both', 'x:a x:b 1 "thanks both"'],
    ['/tip x:a x:b 3 split', 'x:a x:b 3 split'],
    ['/tip x:a x:b 3 split the bill', 'x:a x:b 3 split "the bill"'],
    ['/tip x:a x:b 20 split', 'x:a x:b 20 split'],
    ['/tip x:a x:b 20', 'too_large'],
    ['/tip x:a x:b 20.000001 split', 'too_large'],
    ['/tip x:a x:b 0.019999 split', 'too_small'],
    ['/tip 1 x:a @bob', 'which_network'],
    ['/tip 1 x:a insta:bob', 'unknown_network'],
    ['/tip x:a bob 1', 'which_network'],
    [`/tip ${'x:a '.repeat(100)}1`, `${'x:a '.repeat(100)}1`],
    [`/tip ${'x:a '.repeat(101)}1`, 'too_many_recipients'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('the note', () => {
  test.each([
    ['/tip x:alice 1 for  lunch ', 'x:alice 1 "for lunch"'],
    ['/tip x:alice 1 split the bill', 'x:alice 1 "split the bill"'],
    ['/tip x:alice 1 split', 'x:alice 1 split'],
    ['/tip x:alice 1 see example.com', 'x:alice 1 "see example.com"'],
    ['/tip x:alice 1 @bob says hi', 'two_payments'],
    ['/tip x:alice 1 note: @bob says hi', 'x:alice 1 "@bob says hi"'],
    ['/tip 1 x:alice ok.thanks', 'x:alice 1 "ok.thanks"'],
    ['/tip 1 x:alice :) at 12:30', 'x:alice 1 ":) at 12:30"'],
    ['/tip x:alice 1 <b>"hi"</b>', 'x:alice 1 "<b>"hi"</b>"'],
    ['/tip x:alice 1 a\u202Eb\nc', 'x:alice 1 "ab c"'],
    ['/tip x:alice 1 👩‍👩‍👧 ありがとう', 'x:alice 1 "👩‍👩‍👧 ありがとう"'],
    [`/tip x:alice 1 ${'😀'.repeat(140)}`, `x:alice 1 "${'😀'.repeat(140)}"`],
    [`/tip x:alice 1 ${'😀'.repeat(141)}`, 'note_too_long'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('properties', () => {
  const snippet = fc.constantFrom(
    '/tip',
    'x:alice',
    '@alice',
    '@x/bob',
    'a@b.com',
    'example.com',
    'https://x.com/a',
    '1',
    '$1',
    '1,000',
    '0,5',
    '50c',
    'all',
    'each',
    'split',
    'and',
    '1e5',
    '\u202E',
    'x:',
    ':',
    '@',
    '$',
    '🎉',
    '\u0000',
    'toString',
    '__proto__',
    '1 USDC',
    '<',
    '.',
  );
  const noise = fc.oneof(snippet, fc.string(), fc.string({ unit: anyCharacter }));

  test('no text makes the parser throw, and every tip it reads is in range with a short note', () => {
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 12 }), (parts) => {
        const command = parseCommand(`/tip ${parts.join(' ')}`);
        if (command.kind !== 'tip') return;
        expect(command.recipients.length).toBeGreaterThan(0);
        expect(Array.from(command.note ?? '').length).toBeLessThanOrEqual(140);
        if (command.amount.kind !== 'exact') return;
        const count = command.sharing === 'split' ? BigInt(command.recipients.length) : 1n;
        expect(command.amount.amount).toBeGreaterThanOrEqual(10_000n * count);
        expect(command.amount.amount).toBeLessThanOrEqual(10_000_000n * count);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['/tip x:alice 5', '/request', ''])(
    'the longest Japanese line without a space is read as well: %s',
    (before) => {
      expect(() => parseCommand(`${before} ${'三ドル'.repeat(1_300)}`)).not.toThrow();
    },
  );

  test('every amount in range is read exactly, however it is written', () => {
    const amounts = fc.bigInt({ min: 10_000n, max: 10_000_000n }).map(microUsdc);
    const forms: ((text: string, micro: bigint) => string)[] = [
      (text) => text,
      (text) => `$${text}`,
      (text) => `${text} USDC`,
      (text) => `${text}usd`,
      (text) => text.replace('.', ','),
      (text) => text.replace(/^0\./, '.'),
      (_, micro) => `${formatUsdc(microUsdc(micro * 100n))}c`,
    ];
    fc.assert(
      fc.property(amounts, fc.constantFrom(...forms), (amount, form) => {
        const typed = form(formatUsdc(amount), amount);
        const command = parseCommand(`/tip x:alice ${typed}`);
        // Three digits after a mark may mean thousands.
        if (/[1-9][0-9]*[.,][0-9]{3}(?![0-9])/.test(typed)) {
          expect(command).toMatchObject({ code: 'thousands_separator' });
          const [correction = ''] = command.kind === 'mistake' ? command.examples : [];
          expect(parseCommand(correction).kind, correction).toBe('tip');
          return;
        }
        expect(command).toMatchObject({ kind: 'tip', amount: { kind: 'exact', amount } });
      }),
      { numRuns: 700 },
    );
  });
});

const ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

describe('what people write around a sum', () => {
  test.each([
    [`$12.40 to my wallet ${ADDRESS} pls`, 12_400_000n],
    [`5,50 usdc a la dirección ${ADDRESS}`, 5_500_000n],
    [`6,66 USDC an ${ADDRESS}`, 6_660_000n],
    [`3.3 usdc を ${ADDRESS} へ`, 3_300_000n],
  ])('is no part of a withdrawal: %s', (text, amount) => {
    const to = { address: ADDRESS, family: 'evm', network: null };
    expect(parseCommand(`/withdraw ${text}`)).toEqual({ kind: 'withdraw', amount: { kind: 'exact', amount }, to });
  });

  test.each([
    [`10 not 20 ${ADDRESS}`, `/withdraw 10 ${ADDRESS}`],
    [`half my usdc ${ADDRESS}`, `/withdraw half ${ADDRESS}`],
    [`something ${ADDRESS}`, `/withdraw all ${ADDRESS}`],
  ])('is asked about where it may be more: %s', (text, example) => {
    expect(examplesOf(`/withdraw ${text}`)).toEqual([example]);
  });

  test.each([
    'from @x:uma 8 usd for gas',
    '8 usd from @x:uma for gas',
    'von @x:uma 8 für Benzin',
    '@x:uma から 8ドル、映画',
  ])('says whom a request asks: %s', (text) => {
    const command = parseCommand(`/request ${text}`);
    const wish = command.kind === 'request' && command.wish.do === 'ask' ? command.wish.tip : null;
    expect(wish?.recipients.map((one) => formatRecipient(one))).toEqual(['x:uma']);
    expect(wish?.amount).toEqual({ kind: 'exact', amount: 8_000_000n });
  });

  test.each([
    ['@x:uma pls send me 8 back for the tickets', 'for the tickets'],
    ['a @x:uma que me pague 8 del taxi', 'del taxi'],
    ['@x:uma 8 so we can pay for gas', 'so we can pay for gas'],
    ['@x:uma me devolve 8 do uber', 'do uber'],
    ['@x:uma さんに 8ドル請求して お昼代', 'お昼代'],
  ])('is no reason of a request, and the rest is: %s', (text, reason) => {
    const command = parseCommand(`/request ${text}`);
    const wish = command.kind === 'request' && command.wish.do === 'ask' ? command.wish.tip : null;
    expect([wish?.amount, wish?.note]).toEqual([{ kind: 'exact', amount: 8_000_000n }, reason]);
  });

  test.each([
    '5 de quem puder, pro busão',
    'everyone 5',
    'von allen 5',
    '5 from whoever ate my pizza',
    'みんなから5ドル',
  ])('asks nobody whom a request does not name: %s', (text) => {
    expect(parseCommand(`/request ${text}`)).toMatchObject({ code: 'no_recipient', examples: ['/request @name 5'] });
  });

  test.each([
    ['/dorp 10 for 5 people', '/drop 10 for 5 people'],
    ['/reqeust @x:uma 5 lunch', '/request @x:uma 5 lunch'],
    ['/withdrw 20', '/withdraw 20'],
    ['/balence pls', '/balance'],
  ])('stays with a command whose name has a slip: %s', (text, example) => {
    expect(examplesOf(text)).toEqual([example]);
  });

  test.each([
    ['/tip 4 an @alice_b auf Insta für die Skizze', '/tip instagram:alice_b 4 für die Skizze'],
    ['/tip 2,50 pro @alice_b lá do insta', '/tip instagram:alice_b 2.5'],
    ['/tip @alice_b 5 the one on twitter, love it', '/tip x:alice_b 5 love it'],
  ])('says where a member has their name: %s', (text, example) => {
    const command = parseCommand(text, { bareNames: 'telegram' });
    expect(command).toMatchObject({ code: 'name_in_two_words' });
    expect('examples' in command && command.examples[0]).toBe(example);
  });
});

test.each(['5 to bob', 'send 5 to bob', '5 → bob', '5 a bob', '5 to bob and carol'])(
  'a reply that names another does not pay its author: %s',
  (text) => {
    expect(read(`/tip ${text}`, { repliesTo: { platform: 'x', key: 'author', display: 'author' } })).toBe(
      'which_network',
    );
  },
);

test('a reply with a reason, or to "you", pays its author', () => {
  const context = { repliesTo: { platform: 'x', key: 'author', display: 'author' } } as const;
  expect(read('/tip 5 for the talk', context)).toBe('x:author 5 "for the talk"');
  expect(read('/tip 5 to you', context)).toBe('x:author 5 "to you"');
});
