import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph } from '../../core/view.ts';
import { UNSETTLED_TIPS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('en');

const NOTHING_CHARGED = 'Nothing was charged.';

/** Why a tip was not paid, by the API's error word or one of ours. */
const TEXTS: Record<string, (recipient: string) => Paragraph> = {
  receiver_not_found: (recipient) =>
    line`I couldn’t find ${strong(named(recipient))}. Check the spelling and try again. ${NOTHING_CHARGED}`,
  receiver_opted_out: (recipient) => line`${strong(named(recipient))} doesn’t accept tips. ${NOTHING_CHARGED}`,
  declined: (recipient) =>
    line`I can’t send a tip to ${strong(named(recipient))} through this service. ${NOTHING_CHARGED} Its support can tell you more.`,
  invalid_receiver: (recipient) =>
    line`${strong(named(recipient))} is not a name that can exist there. ${NOTHING_CHARGED}`,
  platform_unavailable: (recipient) =>
    line`Names like ${strong(named(recipient))} can’t be paid from here yet. ${NOTHING_CHARGED}`,
  not_found: (recipient) =>
    line`Names like ${strong(named(recipient))} can’t be paid from here yet. ${NOTHING_CHARGED}`,
  service_paused: () => line`Payments are paused for a moment. ${NOTHING_CHARGED} Please try again in a few minutes.`,
  service_closing: () =>
    line`This service is closing: it takes no more payments. ${NOTHING_CHARGED} What is kept here for you can be taken out with ${code('/withdraw')}.`,
  rate_limited: () => line`That was a bit fast. ${NOTHING_CHARGED} Please try again in a minute.`,
  fee_required: () =>
    line`More is being sent today than I can carry for free, so this tip now has a small fee for the network on top. ${NOTHING_CHARGED} Type it again to send it with the fee.`,
  unreachable: () =>
    line`I can’t reach the payment service right now. ${NOTHING_CHARGED} Please try again in a minute.`,
  too_many_unsettled_payments: () =>
    line`${UNSETTLED_TIPS} of your tips are still on their way. ${NOTHING_CHARGED} Please wait for one of them to arrive.`,
  took_too_long: (recipient) =>
    line`I couldn’t get your tip to ${strong(named(recipient))} through in time, so I dropped it. ${NOTHING_CHARGED} Type it again if you still want to send it.`,
  payment_expired: (recipient) =>
    line`I couldn’t get your tip to ${strong(named(recipient))} through in time, so I dropped it. ${NOTHING_CHARGED} Type it again if you still want to send it.`,
  link_expired: (recipient) =>
    line`Nobody paid ${strong(named(recipient))} with the link in time, so it is over. ${NOTHING_CHARGED} Type it again if you still want to send it.`,
  network_off: () =>
    line`The network that I wanted to pay on is not offered here any more. ${NOTHING_CHARGED} ${code('/balance')} shows what you have.`,
  price_not_agreed: () => line`The price I was asked for is not the one I know, so I didn’t pay. ${NOTHING_CHARGED}`,
  unreadable_price: () => line`The payment service answered in a way I don’t understand. ${NOTHING_CHARGED}`,
  not_signed: () => line`Something went wrong on my side, so I didn’t pay. ${NOTHING_CHARGED}`,
};

// A map, because reasons come from outside: "constructor" is no reason.
const FAILURES = new Map(Object.entries(TEXTS));

export const failuresEn = {
  failure: (reason: string, recipient: string): Paragraph =>
    FAILURES.get(reason)?.(recipient) ??
    // For words that we do not know it cannot be promised that nothing moved; the balance says.
    line`Your tip to ${strong(named(recipient))} was refused (${code(reason)}). ${code('/balance')} shows what you have.`,

  missing: (needed: MicroUsdc, balance: MicroUsdc, missing: MicroUsdc): Paragraph =>
    line`You need ${strong(`${formatUsdcForPeople(needed)} USDC`)} and have ${formatUsdcForPeople(balance)}, so ${strong(`${formatUsdcForPeople(missing)} USDC`)} is missing. ${NOTHING_CHARGED}`,
  wasMissing: (): Paragraph => line`There wasn’t enough money when I tried to pay. ${NOTHING_CHARGED}`,
  howToAdd: (): Paragraph => line`${code('/deposit')} shows how to add money.`,
};
