import { canonicalAddress, type Network } from '../networks.ts';
import { findPlatform } from '../platforms/platforms.ts';
import { formatRecipient, parseRecipient } from '../platforms/recipient.ts';

/** What an operator's lists and service are asked about: money before it is taken, before it leaves, before a person collects. */
export const SCREENING_STAGES = ['payment', 'payout', 'claim'] as const;
export type ScreeningStage = (typeof SCREENING_STAGES)[number];

export type ScreeningQuestion = {
  stage: ScreeningStage;
  /** The payment proof, transfer or claim that the decision is about. */
  subject: string;
  /** Who pays, and where it goes, as far as that is known. */
  accounts: readonly { network: Network; address: string }[];
  /** Of people, such as `x:alice`. */
  names: readonly string[];
  amountMicroUsdc: bigint | null;
};

/** `unanswered`: a list could not be read, or the service gave no usable answer in time. */
export const SCREENING_VERDICTS = ['allowed', 'refused', 'unanswered'] as const;
export type ScreeningVerdict = (typeof SCREENING_VERDICTS)[number];

export const SCREENING_SOURCES = ['lists', 'service', 'operator'] as const;
export type ScreeningSource = (typeof SCREENING_SOURCES)[number];

/** `detail`: the entry of a list that fits, or the service's own reference; null: there is none. */
export type ScreeningAnswer = { verdict: ScreeningVerdict; source: ScreeningSource; detail: string | null };

/** `wait`: nobody has answered, and without an answer nothing may go on. */
export type ScreeningOutcome = 'go' | 'refuse' | 'wait';

/** Decides, and stores the decision before it answers. */
export type Screen = (question: ScreeningQuestion) => Promise<ScreeningOutcome>;

/** What happens without an answer: `closed` waits, `open` goes on. */
export const SCREENING_FAILS = ['closed', 'open'] as const;
export type ScreeningFails = (typeof SCREENING_FAILS)[number];

export function outcomeOf(verdict: ScreeningVerdict, fails: ScreeningFails): ScreeningOutcome {
  switch (verdict) {
    case 'allowed':
      return 'go';
    case 'refused':
      return 'refuse';
    case 'unanswered':
      return fails === 'open' ? 'go' : 'wait';
  }
}

const HOUR_MS = 3_600_000;
/** So long one dead service is not asked again about the same thing. */
const ASK_AGAIN_MS = 10_000;

/** Until when a decision stands; null: for good. What is refused stays so until the operator says otherwise. */
export function standsUntilMs(outcome: ScreeningOutcome, nowMs: number): number | null {
  switch (outcome) {
    case 'go':
      return nowMs + HOUR_MS;
    case 'refuse':
      return null;
    case 'wait':
      return nowMs + ASK_AGAIN_MS;
  }
}

/** `others`: lines that name nothing that could come here, such as addresses of other chains. */
export type ScreeningList = { entries: ReadonlySet<string>; others: number };

/** A line is an address or a name such as `x:alice`; what follows a `#` is a comment. */
export function readScreeningList(text: string): ScreeningList {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*$/, '').trim());
  const read = lines.filter((line) => line !== '').map(toEntry);
  return {
    entries: new Set(read.filter((entry) => entry !== null)),
    others: read.filter((entry) => entry === null).length,
  };
}

/** The entry that fits; null: none does. */
export function findListed(entries: ReadonlySet<string>, { accounts, names }: ScreeningQuestion): string | null {
  const asked = [...accounts.map(({ network, address }) => canonicalAddress(network, address)), ...names];
  return asked.find((entry) => entries.has(entry)) ?? null;
}

/** In the form in which it is asked for. */
function toEntry(line: string): string | null {
  if (/^0x[0-9a-f]{40}$/i.test(line)) return line.toLowerCase();
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(line)) return line;
  const [, platformText = '', receiver = ''] = /^([a-z]+):(.+)$/i.exec(line) ?? [];
  const platform = findPlatform(platformText);
  if (platform === null) return null;
  try {
    return formatRecipient(parseRecipient(platform, receiver));
  } catch {
    // No such name can exist, so nobody can pay it.
    return null;
  }
}
