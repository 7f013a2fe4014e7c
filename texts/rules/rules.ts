import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN, UNSETTLED_PAYMENTS_MAX } from '../../core/amounts.ts';
import { SMALL_TIP_MICRO_USDC } from '../../core/chats/small-tips.ts';
import { PROOF_FRESH_MS } from '../../core/claims/claims.ts';
import {
  CHANNELS_MAX,
  COOLDOWN_MAX_S,
  MESSAGE_LIFETIME_MAX_S,
  MESSAGE_LIFETIME_MIN_S,
} from '../../core/communities/community-settings.ts';
import { ANSWERED_MIN, KNOWN_AFTER_DAYS, TOP_DAYS } from '../../core/communities/people.ts';
import { EXAMPLE_DROP, EXAMPLE_TREASURY_DROP } from '../../core/grammar/mistakes.ts';
import { DROP_TIME_DEFAULT_S, DROP_TIME_MAX_S, DROP_TIME_MIN_S } from '../../core/drops/drops.ts';
import { formatDuration } from '../../core/grammar/duration.ts';
import { RECIPIENTS_MAX } from '../../core/grammar/names.ts';
import { REWARD_BUDGET_DEFAULT } from '../../core/grammar/reward.ts';
import { NOTE_CHARACTERS_MAX } from '../../core/grammar/note.ts';
import { formatUsdc, formatUsdcForPeople, microUsdc, USDC_DECIMALS } from '../../core/money.ts';
import {
  REWARD_BUDGET_MAX_MICRO_USDC,
  REWARD_BUDGET_MIN_MICRO_USDC,
  REWARD_CARD_MS,
  OWN_REWARD_WAIT_MS,
  SMALL_REWARD_MICRO_USDC,
} from '../../core/rewards/reward-cards.ts';
import { REWARD_RECIPIENTS_MAX } from '../../core/rewards/share-out.ts';
import { RAISE_WAIT_MS } from '../../core/wallets/spending-limits.ts';
import { TREASURY_ADDRESS_WAIT_MS, TREASURY_CARD_MS } from '../../core/treasury/treasury.ts';
import { HOLDER_WAIT_MS } from '../../core/wallets/holder-wait.ts';
import { WITHOUT_PASSKEY_MS } from '../../core/wallets/passkeys.ts';
import { ADDRESS_WAIT_MS, AT_ONCE_DAILY_MAX, TELLING_MAX_MS } from '../../core/wallets/withdrawal-wait.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The constants of the rules as sentences say them, so that no sentence states another number than the one that holds.
 * What an operator sets is no constant: it comes into a text as an argument.
 */
export const TIP_MIN = formatUsdc(PAYMENT_AMOUNT_MIN);
export const TIP_MAX = formatUsdc(PAYMENT_AMOUNT_MAX);
/** Below it a tip is small. */
export const SMALL_TIP = formatUsdcForPeople(SMALL_TIP_MICRO_USDC);
export const NOTE_CHARACTERS = String(NOTE_CHARACTERS_MAX);
export const NAMES_MAX = String(RECIPIENTS_MAX);
export const DECIMALS = String(USDC_DECIMALS);
export const UNSETTLED_TIPS = String(UNSETTLED_PAYMENTS_MAX);

export const SPENDING_WAIT_HOURS = String(RAISE_WAIT_MS / HOUR_MS);
export const WITHDRAWAL_WAIT_HOURS = String(ADDRESS_WAIT_MS / HOUR_MS);
/** The longest that a withdrawal waits: another place of its owner cannot be told of it, or its passkey has not agreed. */
export const WITHDRAWAL_WAIT_MAX_HOURS = String(
  Math.max(TELLING_MAX_MS + ADDRESS_WAIT_MS, WITHOUT_PASSKEY_MS) / HOUR_MS,
);
/** What may leave a wallet at once on a day, for an address that is not known yet. */
export const AT_ONCE_DOLLARS = `$${formatUsdcForPeople(AT_ONCE_DAILY_MAX)}`;
export const HOLDER_WAIT_HOURS = String(HOLDER_WAIT_MS / HOUR_MS);
export const WITHOUT_PASSKEY_HOURS = String(WITHOUT_PASSKEY_MS / HOUR_MS);
export const PROOF_FRESH_MINUTES = String(PROOF_FRESH_MS / MINUTE_MS);

export const TREASURY_WAIT_HOURS = String(TREASURY_ADDRESS_WAIT_MS / HOUR_MS);
export const TREASURY_CARD_HOURS = String(TREASURY_CARD_MS / HOUR_MS);

export const REWARD_CARD_HOURS = String(REWARD_CARD_MS / HOUR_MS);
export const REWARD_MIN = formatUsdc(microUsdc(REWARD_BUDGET_MIN_MICRO_USDC));
export const REWARD_MAX = formatUsdc(microUsdc(REWARD_BUDGET_MAX_MICRO_USDC));
export const REWARD_DEFAULT = formatUsdc(REWARD_BUDGET_DEFAULT);
export const REWARD_NAMES_MAX = String(REWARD_RECIPIENTS_MAX);
/** Up to here one confirmation is enough. */
export const SMALL_REWARD = formatUsdc(microUsdc(SMALL_REWARD_MICRO_USDC));

export const COOLDOWN_MAX = formatDuration(COOLDOWN_MAX_S);
export const LIFETIME_MIN = formatDuration(MESSAGE_LIFETIME_MIN_S);
export const LIFETIME_MAX = formatDuration(MESSAGE_LIFETIME_MAX_S);
export const PLACES_MAX = String(CHANNELS_MAX);

export const DROP_TIME_MIN = formatDuration(DROP_TIME_MIN_S);
export const DROP_TIME_MAX = formatDuration(DROP_TIME_MAX_S);
export const OWN_WAIT_MINUTES = String(OWN_REWARD_WAIT_MS / MINUTE_MS);
export const KNOWN_DAYS = String(KNOWN_AFTER_DAYS);
export const KNOWN_ANSWERS = String(ANSWERED_MIN);
export const TOP_DAYS_SHOWN = String(TOP_DAYS);

export const TREASURY_DROP_EXAMPLE = EXAMPLE_TREASURY_DROP;

/** An example, and what it does. */
export const DROP_EXAMPLE = {
  command: EXAMPLE_DROP,
  sum: '5',
  people: '10',
  share: '0.50',
  time: formatDuration(DROP_TIME_DEFAULT_S),
} as const;
