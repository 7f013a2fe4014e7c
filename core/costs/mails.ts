/**
 * What a mail is for. `asked`: a code for anyone who names an address. `notice`: to a person for whom money waits.
 * `holder`: a code for a holder of a receipt's link, once `asked` is used up. `change`: a warning about a new address.
 */
export type MailShare = keyof typeof SHARES;

/**
 * In hundredths of the day's mails. Each purpose has its own, so that nobody can take another's: names, cookies and network
 * addresses are free to make, a receipt costs its sum for as long as it waits, and a few warnings cost a proof.
 */
const SHARES = { asked: 40, notice: 30, holder: 20, change: 10 } as const;

export const MAIL_SHARES = Object.keys(SHARES) as readonly MailShare[];

/** From here on receipts cost too much to make many of them just for their mails. */
const HOLDER_MIN_MICRO_USDC = 100_000n;
/** What one receipt may take out of the holders' share in a day. */
export const HOLDERS_MAILS_MAX = 5;
/**
 * What one purse may take out of the share of warnings in a day: its holder lets a browser in, or adds a passkey, as often as
 * they like. Each of these mails has a link that stops all that waits.
 */
export const PURSE_MAILS_MAX = 5;

/** How many of a day's mails a share has; holders of receipts of little value have half of theirs. */
export function mailsOf(share: MailShare, dailyMax: number, sumMicroUsdc: bigint | null = null): number {
  const isSmall = share === 'holder' && sumMicroUsdc !== null && sumMicroUsdc < HOLDER_MIN_MICRO_USDC;
  return Math.floor((dailyMax * SHARES[share]) / (isSmall ? 200 : 100));
}
