import { describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { heldWords, receiptView } from '../../../texts/receipts/receipt.ts';
import { LIMIT_REASONS, wireStatus } from '../../../core/states.ts';
import { plainText } from '../../../core/view.ts';

const held = (heldReason: string | null) =>
  plainText(
    receiptView({
      amount: microUsdc(1_000_000n),
      recipient: 'x:alice',
      status: 'held',
      heldReason,
      receiptUrl: 'http://x/receipts/r',
      claimUntil: null,
    }),
  );

describe('the receipt of held money', () => {
  test.each([
    ['payer_limit', 'What one payer can send in a day is limited'],
    ['recipient_limit', 'What @alice on X can receive in a day is limited'],
    ['no_token_account', 'The wallet of @alice on X cannot hold USDC yet'],
  ])('says of %s that it goes on by itself', (reason, says) => {
    const text = held(reason);
    expect(text).toContain('1.00 USDC for @alice on X has to wait.');
    expect(text).toContain(says);
    expect(text).toContain('It goes on by itself');
  });

  test.each(['recipient_blacklisted', 'forbidden_address', null])(
    'says of %s that the operator has to look',
    (reason) => {
      expect(held(reason)).toContain('is being checked.\nWhoever runs this service has to look at it');
    },
  );

  test('has words of its own for every limit', () => {
    const words = LIMIT_REASONS.map((reason) => heldWords(reason, 'x:alice').next);
    expect(new Set([...words, heldWords(null, 'x:alice').next]).size).toBe(LIMIT_REASONS.length + 1);
  });
});

test('a payout that came to nothing is not shown: its line waits, or was never paid for', () => {
  expect([wireStatus('escrowed', 'void'), wireStatus('void', 'void')]).toEqual(['pending_claim', 'queued']);
});
