import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { whyFailedEn } from '../withdrawals/en.ts';
import { PROOF_FRESH_MINUTES } from '../rules/rules.ts';

const people = formatUsdcForPeople;

/** Words of the pages under /wallet. */
export const walletPageEn = {
  balance: (amount: MicroUsdc, place: string): string => `${people(amount)} USDC, on ${place}`,
  balanceUnknown: (place: string): string => `On ${place}: no answer right now. Load this page again in a minute.`,

  openChat: 'Open the chat',

  depositTitle: 'Add money',
  depositIntro:
    'Scan one of these with the app that you send from. Send only USDC, each address only on its network: anything else could be lost.',
  depositAt: (place: string): string => `USDC on ${place}`,
  qrCode: (place: string): string => `QR code of your address on ${place}`,

  network: 'Network',
  address: 'Address',
  addressHint: 'Of a wallet or an exchange that takes USDC.',
  amount: 'Amount in USDC',
  amountHint: 'A number such as 2.50.',
  next: 'Check before sending',
  receiveIntro: 'Send only USDC here, each address only on its network: anything else could be lost.',
  receivePlay: 'Play money arrives at these. Never send real money to them: nobody could bring it back.',
  history: 'Latest withdrawals',
  othersIntro:
    'Each of them has proved this name too. If one is not yours, take the right away from all of them: whoever is you can prove the name again.',
  onlyHere: 'Only this browser from now on',
  proveFirst: `For your safety this needs a sign-in that is not older than ${PROOF_FRESH_MINUTES} minutes: sign in with the name again in this browser, and come back.`,
  proveAgain: 'Prove the name again',

  reviewTitle: 'Check before sending',
  reviewHeading: (amount: MicroUsdc): string => `Take out $${people(amount)}?`,
  reviewAmount: 'Amount',
  reviewCost: 'Cost',
  reviewNoCost: 'none: we pay it',
  reviewFrom: 'From',
  reviewTo: 'To this address',
  reviewNetwork: 'On',
  reviewWarning: 'Please compare the address once more: what goes to a wrong one cannot be brought back.',
  confirm: (amount: MicroUsdc): string => `Take out $${people(amount)}`,

  progressTitle: 'Withdrawal',
  toAddress: 'To',
  states: {
    waiting: 'Getting it ready',
    later: 'Leaves later',
    sending: 'On its way',
    paid: 'It has arrived',
    failed: 'It was not sent',
  },
  waitingNote: 'It may take some minutes. You can close this page: it goes on by itself, and it can’t be sent twice.',
  failedNote: (failure: string | null): string => `${whyFailedEn(failure)} The money is where it was.`,
  transaction: 'Transaction',
  seeTransaction: 'See the transaction',
  refreshNote: (seconds: number): string => `This page loads itself again every ${seconds} seconds.`,

  problemTitle: 'That did not work',
  formOver: 'This page has done its work already, or it is not yours. Start again from your money.',
  notFound: 'There is no such page here.',
  foreign: 'This form was not sent from our own page, so nothing happened.',
  tooFast: 'That was a bit fast. Please wait a minute.',
  somethingWrong: 'Something went wrong on our side. Load the page of your money again: it shows what was sent.',
};
