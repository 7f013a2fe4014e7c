import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { line, strong, type Paragraph } from '../../core/view.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('en');

const people = formatUsdcForPeople;

/** `isAsked`: the link is what the person wanted, and not another way out. */
export type LinkFacts = { total: MicroUsdc; recipient: string; minutes: number; isAsked: boolean };

/** What a chat says with a pay link. */
export const payLinkEn = {
  payByLink: (total: MicroUsdc): string => `Pay ${people(total)} USDC`,
  linkOffer: ({ total, recipient, minutes, isAsked }: LinkFacts): Paragraph =>
    line`${isAsked ? 'Pay' : 'Or pay'} ${strong(`${people(total)} USDC`)} for ${strong(named(recipient))} with any wallet or app: the button below works for ${String(minutes)} minutes, and only once. Whoever opens it may pay for you.`,
  addAndSend: (): string => 'Add play money and send it',
  sendNow: (): string => 'Send it now',
  linkInUse: (): Paragraph =>
    line`Somebody has begun to pay with the link, so I don’t pay beside it. If nothing comes of it, type the tip again.`,
  goesOnThere: (): Paragraph => line`It is on its way. Where you typed the tip you can see how it ends.`,
  noLink: (): Paragraph => line`Pay links are not offered here.`,
};

/** Words of the page that a pay link leads to. */
export const payPageEn = {
  title: (total: MicroUsdc): string => `Pay ${people(total)} USDC`,
  titlePaid: (total: MicroUsdc): string => `Paid: ${people(total)} USDC`,
  titleClosed: (total: MicroUsdc): string => `Closed: ${people(total)} USDC`,
  forWhom: (recipient: string): string => `for ${recipient}`,
  gets: (recipient: string, amount: MicroUsdc): string => `${recipient} gets ${people(amount)} USDC`,
  more: (count: number): string => `and ${count} more`,
  details: 'Who gets what',
  fee: (fee: MicroUsdc): string => `plus a fee of ${people(fee)} USDC`,
  ourAddress: (recipient: string): string =>
    `Your wallet shows our address; the money is for ${recipient}. We pass it on, and you get a receipt.`,
  reward: (author: string): string => `A reward for a post by ${author}`,
  rewardAddress: (recipient: string): string =>
    `Your wallet shows our address; the money is for ${recipient}. We pass it on, and the page of the reward says so.`,
  until: 'You can pay until',
  timeLeft: 'Time left',

  withWallet: 'Pay with your wallet',
  walletIntro: 'You see in your wallet what you sign, and it costs no network fee.',
  noWallet: 'There is no wallet in this browser. Open this page in the app of your wallet, or pay from any app.',
  onlyWallet:
    'There is no wallet in this browser. Open this page in the app of your wallet, or in a browser that has one.',
  newcomer: 'No USDC yet?',
  newcomerNote: (places: string): string =>
    `USDC are digital dollars that you buy in a wallet app or at an exchange which sells them; we sell none. To pay here, it has to be able to send USDC on ${places}.`,
  payWith: (wallet: string): string => `Pay with ${wallet}`,
  walletAsks: 'Your wallet asks you now.',
  walletRefused: 'Your wallet did not sign, so nothing was paid.',
  otherChain: 'Your wallet could not switch to the right network, so nothing was paid.',
  openIn: (wallet: string): string => `Open in ${wallet}`,

  inApp: 'You are in the browser of another app, where no wallet can be reached.',
  openBrowser: 'Open in your browser',
  copyLink: 'Or copy this address into your browser:',

  playWallet: 'Pay with a play wallet',
  playIntro: 'It has play money and is made for this page. Your own wallet is never asked here.',
  payPlay: 'Pay with the play wallet',

  anyApp: 'Pay from any app',
  anyAppIntro: 'From an exchange or a wallet on another device: send exactly this amount of USDC to this address.',
  showAddress: 'Show address and amount',
  on: (place: string): string => `On ${place}`,
  amount: 'Exact amount in USDC',
  address: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  qrCode: (place: string): string => `QR code of the address on ${place}`,
  qrPayment: (place: string): string => `QR code of address and amount on ${place}`,
  exactly:
    'Send this amount to the last digit: by it we know what it is for. A little is added, and that goes to the recipient too. If your exchange takes a fee out of it, add that: exactly this much must arrive.',
  onlyUsdc:
    'Only USDC, only on the network that stands above the address, and only once: do not pay with a wallet as well. If the money comes back, it goes to the wallet of whoever asked for this link.',
  arrives: 'Once it has arrived, this page and the chat say so.',

  notConfirmed: 'It is not confirmed yet',
  notConfirmedNote: 'Those who moderate the community have to confirm it in the chat first.',
  paying: 'Your payment is on its way',
  payingNote: 'Do not pay a second time. You can close this page: it goes on by itself.',
  beingPaid: 'It is being paid',
  beingPaidNote: 'Nobody has to pay a second time. You can close this page: it goes on by itself.',
  rewardOver: 'This reward is over',
  rewardOverNote: 'Nothing can be paid for it any more. The chat says what became of it.',
  rewardOverInstead: 'Still want to give something? Ask in the chat for a new reward.',
  paid: 'It is paid',
  paidNote: (recipient: string): string => `The receipt shows how far the money is. Pass its link on to ${recipient}.`,
  receipt: 'Open the receipt',
  receiptOf: (recipient: string): string => `Receipt for ${recipient}`,
  expired: 'The time for this link is over',
  expiredNote: 'Please do not pay any more. What was sent in time still arrives, and the chat says so.',
  expiredInstead: 'Still want to pay? Ask for a new link where you got this one.',
  refresh: 'Load this page again to see how it goes on.',

  refused: {
    insufficient_funds: 'There is not enough USDC in that wallet on this network. Nothing was charged.',
    order_in_progress: 'Somebody is paying this already. Nothing more was charged.',
    not_confirmed: 'Not enough have confirmed it yet. Nothing was charged.',
    changed_payment:
      'What came back is not what we prepared, or it took too long. Nothing was charged; please try again.',
    wallet_added:
      'Your wallet added something of its own to the payment, and we pass on nothing that we do not know. Nothing was charged. Switch such extras off in your wallet, use another one, or pay from any app.',
    payer_not_allowed: 'That address cannot pay here. Please use another wallet.',
    link_over: 'The time for this link is over. Nothing was charged.',
    service_closing: 'This service is closing: it takes no more payments. Nothing was charged.',
    too_many_links:
      'Too many links of the same person were opened and never paid. Nothing was charged; pay one of those first.',
    rate_limited: 'That was a bit fast. Please try again in a minute.',
    // A word that we do not know promises nothing.
    other: 'That did not work. If your wallet shows no payment, please try again, or pay in another way.',
  },
};
