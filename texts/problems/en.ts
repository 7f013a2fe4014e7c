import { ERRORS } from '../../core/errors.ts';
import { ADDRESS_REFUSALS, type AddressRefusal } from '../../core/payments/payout-address.ts';

const addresses: Record<AddressRefusal, string> = ADDRESS_REFUSALS;
const declined: string = ERRORS.declined.detail;

/** What a page says when something did not work. Programs read the error's own words, which are English. */
export const problemsEn = {
  title: 'That did not work',
  missingTitle: 'Nothing at this address',
  missing: 'There is nothing at this address.',
  returnToSender: 'Return to sender',
  error: (status: number): string => `Error ${status}`,
  copiedCompletely:
    'Was the link copied completely? A receipt’s address ends in 22 characters, and it exists as soon as its payment is made.',
  toStartPage: 'To the start page',
  nameThis: (id: string): string => `If you ask for help, name this: ${id}`,

  addresses,
  notThisForm: 'This form was not filled in on our page.',
  noAddress: 'Write the address that the money should go to.',
  otherNetwork: 'This address belongs to a network that is not offered here. The field says which ones are.',
  noName: (example: string): string => `That does not look right. It should look like this: ${example}`,
  notKept: 'Nothing is kept here for this name: give an address of yours.',
  mailNotSent: 'The mail could not be sent. Try again in a moment.',
  mailsUsedUp: (minutes: number): string =>
    `Too many mails were asked for. Open the link in the last one, and look under spam as well. Another one can be asked for in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  claimOver: 'The time for this is over. Start again.',
  doneAlready: 'This is done already. Load the page again.',
  noAnswer: 'The other side did not answer. Nothing has changed; try again in a moment.',
  tooFast: 'That was a bit fast. Wait a moment, then try again.',
  declined,
  ourSide: 'Something went wrong on our side. Nothing was moved.',
  closing: 'This service is closing: it takes no more payments.',
  other: 'That did not work. Nothing was moved; start again.',
};

export type ProblemTexts = typeof problemsEn;
