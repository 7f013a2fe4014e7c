import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPreviewFonts, toPreviewSvg } from '../../../api/receipts/preview-svg.ts';
import type { ReturnReason } from '../../../core/states.ts';
import { readReceipt } from '../../../api/receipts/read.ts';
import type { ReceiptPlace } from '../../../api/receipts/view.ts';
import {
  INBOUND,
  NOW_MS,
  PAYER,
  PAYOUT_TRANSACTION,
  startInstallation,
  WALLET,
  type Installation,
  type Seed,
} from '../pages/installation.ts';

const PLACE: ReceiptPlace = {
  baseUrl: 'https://pay.example.com',
  localMode: false,
  networks: [{ network: 'base', caip2: 'eip155:8453' }],
};
const RIGHT_EDGE = 1088;
const RETURNED = {
  payment: { status: 'final' },
  line: { status: 'returning' },
  payout: { status: 'final' },
} as const satisfies Seed;

const fonts = readPreviewFonts();
let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

async function svgOf(seed: Seed, isPlayMoney = false): Promise<string> {
  const shown = await readReceipt(installation.dependencies, PLACE, (await installation.seed(seed)).slug);
  if (shown === null) throw new Error('the seeded receipt is not there');
  return toPreviewSvg(shown.view, fonts, isPlayMoney);
}

type Word = { text: string; x: number; size: number; family: string };

/** What it says, with where and how. */
function wordsIn(svg: string): Word[] {
  return [...svg.matchAll(/<text x="([\d.]+)" y="[\d.]+" font-size="(\d+)" font-family="([^"]+)"[^>]*>([^<]*)</g)].map(
    ([, x = '', size = '', family = '', text = '']) => ({ text, x: Number(x), size: Number(size), family }),
  );
}

const saidIn = (svg: string): string =>
  wordsIn(svg)
    .map(({ text }) => text)
    .join('|');

describe('what the picture says', () => {
  test('service, amount, recipient, state, and until when', async () => {
    expect(saidIn(await svgOf({ amountMicroUsdc: 3_200_000n }))).toBe(
      'pennypost|3.20|USDC|for |@alice| on X|Waiting to be collected|If nobody collects it, it goes back to its sender on 20 December 2026 (UTC).',
    );
  });

  test.each([
    ['received', { payout: { status: 'confirmed' } }, 'Received by @alice on X|On the chain, not final yet.'],
    ['on its way', { payout: { status: 'queued' } }, 'On its way to @alice on X|On the chain, not final yet.'],
    ['held', { payout: { status: 'held' }, payment: { status: 'final' } }, 'Being checked|Final: the network'],
    ['reorganised', { payment: { status: 'settling' } }, 'Being sent again|Base replaced the block it was in.'],
    ['undone', { payment: { status: 'rejected' }, line: { status: 'void' } }, 'It did not take place|It never took'],
  ] as const)('%s', async (_title, seed, words) => {
    expect(saidIn(await svgOf(seed as Seed))).toContain(words);
  });

  test('what has arrived for good is postmarked with its day, as on the page; nothing else is', async () => {
    const arrived = await svgOf({ payment: { status: 'final' }, payout: { status: 'final' } });
    expect([arrived.includes('>PAID<'), arrived.includes('>20 NOV<')]).toEqual([true, true]);
    const waiting = await svgOf({ payment: { status: 'final' } });
    const returned = await svgOf({ ...RETURNED, refundedAtMs: NOW_MS });
    for (const svg of [waiting, returned, await svgOf({ payout: { status: 'confirmed' } })])
      expect(svg).not.toContain('NOV<');
  });

  test('why it came back, where there is room for the whole sentence', async () => {
    const saidFor = async (returnReason: ReturnReason) =>
      saidIn(await svgOf({ ...RETURNED, line: { ...RETURNED.line, returnReason } }));
    expect(await saidFor('taken_back')).toContain(
      '|Returned to the payer|The payer took it back before it was collected.',
    );
    expect(await saidFor('had_another_owner')).toContain('|Returned to the payer|Final: the network');
  });

  test('play money is named', async () => {
    expect(saidIn(await svgOf({}, true))).toContain('Play money');
    expect(saidIn(await svgOf({}, false))).not.toContain('Play money');
  });
});

describe('what it never says', () => {
  test('the note, the sender, a wallet, a transaction', async () => {
    const svg = await svgOf({
      payment: { status: 'final', description: 'a secret note', meta: { agent_name: 'Marta' } },
      payout: { status: 'final' },
    });
    for (const secret of ['secret', 'Marta', WALLET, PAYER, INBOUND, PAYOUT_TRANSACTION]) {
      expect(svg).not.toContain(secret);
    }
  });

  test('an e-mail address, but for its first letter and its host', async () => {
    const svg = await svgOf({ line: { platform: 'email', recipientKey: 'alice.secret@example.com' } });
    expect(saidIn(svg)).toContain('for |a***@example.com|');
    expect(svg).not.toContain('secret');
  });
});

describe('names that do not fit, or do not belong', () => {
  const LONG = `${'a-very-long-label'.repeat(3)}.${'b'.repeat(60)}.example.com`;

  test.each([
    ['short', { recipientKey: 'alice' }, 50],
    ['the widest X handle', { recipientKey: 'm'.repeat(15) }, 50],
    ['the longest GitHub login', { platform: 'code', recipientKey: 'm'.repeat(39) }, 32],
    ['a GitHub login of some length', { platform: 'code', recipientKey: 'an-organisation-with-a-name' }, 44],
    ['a long host', { platform: 'web', recipientKey: LONG }, 32],
    [
      'the longest host',
      { platform: 'web', recipientKey: `${'w'.repeat(63)}.`.repeat(3) + 'w'.repeat(50) + '.com' },
      32,
    ],
  ])('%s stays on the paper', async (_title, line, size) => {
    const words = wordsIn(await svgOf({ line }));
    expect(words[words.findIndex(({ text }) => text === 'for ') + 1]?.size).toBe(size);
    for (const { text, x, size: fontSize, family } of words) {
      const font = { Literata: fonts.serifBold, Inter: fonts.bold, 'Inter Medium': fonts.medium }[family];
      expect(x + (font?.widthOf(text, fontSize) ?? Infinity)).toBeLessThanOrEqual(RIGHT_EDGE);
    }
  });

  test('a name that is cut keeps its beginning and the end, which says whose it is', async () => {
    const svg = await svgOf({ line: { platform: 'web', recipientKey: LONG } });
    expect(saidIn(svg)).toMatch(/\|a-very-[^|]*…[^|]*\.example\.com\|/);
  });

  test('an amount with all its decimals ends before the stamp', async () => {
    const words = wordsIn(await svgOf({ amountMicroUsdc: 10_000_001n }));
    const unit = words.find(({ text }) => text === 'USDC');
    expect((unit?.x ?? 0) + fonts.serifBold.widthOf('USDC', 62)).toBeLessThan(920);
  });

  test('markup is text, and what has no glyph is a question mark', async () => {
    const svg = await svgOf({ line: { recipientKey: `a"b<c>&d\u202E漢\u0000` } });
    expect(svg).toContain('>@a&quot;b&lt;c&gt;&amp;d?</text>');
    expect(svg.match(/<text /g)).toHaveLength((await svgOf({})).match(/<text /g)?.length ?? 0);
  });
});
