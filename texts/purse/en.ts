import {
  AT_ONCE_DOLLARS,
  SPENDING_WAIT_HOURS,
  WITHDRAWAL_WAIT_HOURS,
  WITHDRAWAL_WAIT_MAX_HOURS,
  WITHOUT_PASSKEY_HOURS,
  HOLDER_WAIT_HOURS,
} from '../rules/rules.ts';

const plurals = new Intl.PluralRules('en');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

/** Rules as the sentences of this page say them. */
export const KNOWN_AFTER_HOURS = WITHDRAWAL_WAIT_HOURS;
export const UNLOCK_HOURS = SPENDING_WAIT_HOURS;

/**
 * Words of the pages under /purse. Until a person takes money out to a wallet of their own none of them speaks of wallets,
 * addresses or networks. `{time}` stands where the page puts a time in the reader's zone.
 */
export const purseEn = {
  title: 'Your money',
  closing: 'This service is closing and takes no more payments. Please take out what is kept here for you.',
  of: (name: string): string => `Kept for ${name}`,
  ofChat: 'This chat’s own money',
  leaving: (sum: string): string => `${sum} of it is about to be taken out.`,
  unknown: 'Part of it cannot be seen right now. Load this page again in a minute.',
  waits: (sum: string): string => `${sum} more waits for you.`,
  collect: 'Collect it',
  keeper: (operator: string): string =>
    `${operator} keeps this for you. It is not a bank account and not insured: keep here what you would carry in a purse.`,

  signInTitle: 'See your money',
  signInLead: 'Nothing is kept here for this browser. Sign in with the name that the money was sent to:',
  signInOther: 'Sign in with another name',
  signInWith: (platform: string): string => `Sign in with ${platform}`,
  signInNew: 'Never collected anything? Open the link that you were sent, and choose “Keep it here”.',

  looksTitle: 'You can look at it now',
  looksUntil:
    'It was kept in another place before you signed in here. From {time} you can send it from this browser too.',
  looksUntilGuarded: `It was kept in another place before you signed in here, and a passkey guards it. Sign in with that, and you can send it at once. Without it, you can take it out from {time}, which then waits ${WITHOUT_PASSKEY_HOURS} hours.`,
  unseenTitle: 'You will see it later',
  unseenUntil:
    'Nobody used this name here for half a year, so it may have a new owner. That is why you see and send what is kept for it from {time} on. Until then, whoever kept it before can end this sign-in.',
  newcomerTitle: (count: number): string => is(count, 'Somebody else signed in', `${count} others signed in`),
  newcomerUntil: 'They can send it from {time}. If that was not you, end it.',
  newcomerUntilGuarded: `They can ask to take it out from {time}, which without its passkey waits ${WITHOUT_PASSKEY_HOURS} hours more. If that was not you, end it.`,
  endNewcomers: 'Not me: end it',

  lockedTitle: 'Sending is locked',
  lockedNote: `Nothing can be sent from here until you unlock it. That takes ${UNLOCK_HOURS} hours, so that a stranger cannot do it unnoticed.`,
  unlock: 'Unlock it',
  lockedUntil: 'It can be sent again from {time}.',

  passkeyOffer: 'Lock it with a passkey',
  passkeyOfferNote: `Your fingerprint, face or screen lock then has to agree before money leaves. Chats can’t send from here any more, and without the passkey you can still take money out, which then takes ${WITHOUT_PASSKEY_HOURS} hours.`,
  addPasskey: 'Add a passkey',
  passkeys: (count: number): string => is(count, '1 passkey', `${count} passkeys`),
  passkeyMore: `One more counts after ${WITHOUT_PASSKEY_HOURS} hours, because it is added without the first.`,
  passkeySince: 'Added {time}',
  passkeyFrom: 'counts from {time}',
  passkeyUntil: 'counts until {time}',
  passkeyWaitTitle: 'A passkey was added',
  passkeyWaitNote: 'From {time} money leaves with it. If that was not you, stop it.',
  passkeyEndTitle: 'A passkey is to be removed',
  passkeyEndNote: 'From {time} it no longer counts. If that was not you, stop it.',
  stopPasskey: 'Not me: stop it',
  endPasskey: 'Remove it',
  endWithout: `Remove it without using it, in ${WITHOUT_PASSKEY_HOURS} hours`,
  passkeyFailed: 'That did not work, and nothing was changed or sent. Try again, here or where you have the passkey.',
  passkeyMany: 'There are as many passkeys as there can be. Remove one first.',
  passkeyAsked: 'Your device asks for your passkey next.',
  passkeyNeeded: `This money goes out with its passkey. Send it where you have that. Without it you can take it out, which takes ${WITHOUT_PASSKEY_HOURS} hours.`,
  withoutPasskey: 'Without the passkey it leaves at {time} at the earliest.',
  sendWithout: 'Go on without the passkey',
  signInPasskey: 'Sign in with a passkey',

  outTitle: 'Go on in your own browser',
  outNote:
    'You are inside another app, where no passkey can be added. In your phone’s own browser your fingerprint, face or screen lock can guard this money.',
  outAsk: 'Get the link',
  outLink: (minutes: number): string =>
    `This link signs you in there and signs you out here. It works once, in the next ${minutes} minutes.`,
  outOpen: 'Open my browser',
  outOrPaste: 'Or copy the link and paste it into your browser:',
  outPaste: 'Copy the link and paste it into your browser:',
  outCopy: 'Copy the link',
  outOver: 'If the time runs out, your money is safe, and you can get a new link here.',
  outKey: 'This link is a key to your money',
  outSecret: 'Give it to nobody: anyone who opens it can send this money.',
  movedTitle: 'See your money in this browser',
  movedOnly:
    'Go on only if you asked for this link yourself a moment ago. Never do it for someone who sent you the link.',
  movedHere: 'Go on here',
  movedScript: 'This link needs scripts, and this browser runs none.',
  movedOver:
    'This link is over, or part of it is missing. Ask for a new one where your money can be seen now. Nothing was changed.',

  linkTitle: (account: string): string => `Connect ${account}`,
  linkOnly:
    'Do this only if you have just opened the link in your own chat. Never do it for someone who sent you the link.',
  linkHere: (account: string): string => `See the money of ${account} here`,
  linkHereNote: (isGuarded: boolean): string =>
    `This browser can look at it at once, and send it ${HOLDER_WAIT_HOURS} hours later.${isGuarded ? ` Where a passkey guards it, sending takes that; without it, taking out waits ${WITHOUT_PASSKEY_HOURS} hours more.` : ''}`,
  linkThere: (name: string, account: string): string => `Let ${account} use it: ${name}`,
  linkThereNote: (isGuarded: boolean): string =>
    isGuarded
      ? `The account can look at it at once. A passkey guards it, so the account cannot send it: ${HOLDER_WAIT_HOURS} hours later it can ask to take it out, which waits ${WITHOUT_PASSKEY_HOURS} hours more. Your other places are told.`
      : `The account can look at it at once, and send it ${HOLDER_WAIT_HOURS} hours later. Your other places are told.`,
  linkOther: 'Money that is kept for another name appears here once you have signed in to it in this browser.',
  linkOver: 'This link is over. Ask for a new one in the chat: /link',

  places: (count: number): string => `Active sessions: ${count}`,
  thisBrowser: 'This browser',
  otherBrowser: 'Another browser',
  account: (platform: string): string => `Your account on ${platform}`,
  since: 'since {time}',
  laterFrom: 'can send from {time}',
  laterFromGuarded: 'can take out from {time}',
  leave: 'Sign out of it here',
  signOut: 'Sign out',
  signOutTitle: 'Sign out in this browser?',
  signOutNote: 'What is kept for you here stays where it is. You come in again with the same name.',
  /** No other place may send it. */
  signOutLast: (hours: string, isSeen: boolean, isGuarded: boolean): string =>
    isGuarded
      ? `No other place can send it now. With your passkey you come in again, and can send it at once. With the name alone, you see it${isSeen ? ' at once' : ''} and can ask to take it out ${hours} hours later, which then waits ${WITHOUT_PASSKEY_HOURS} hours.`
      : `No other place can send it now. Coming in again with the name alone, you see it${isSeen ? ' at once' : ''} and can send it ${hours} hours later.`,
  /** Nobody could end the newcomer then. */
  signOutHanded:
    'Somebody else waits to come in, and can send it from {time}. If you sign out here before that, they alone can. If that is not you, press “Not me: end it” beside your money first; if it is, sign out after that time.',
  signOutCallsOff: (sum: string): string =>
    `${sum} that you asked to take out in this browser has not left yet. That is called off, and stays here.`,
  signOutPlay: 'This chat’s own play money is gone then.',
  leaveLast: 'No other place can send it now, so it stays here until you sign out of this browser.',

  sendTitle: 'Send',
  sendPlatform: 'Which service are they on?',
  sendName: 'Their name there',
  sendNameHint: 'Such as alice, or alice@example.com for an e-mail.',
  sendAmount: 'Amount in dollars',
  /** One of the sums to choose from: any other is typed, or it is all there is. */
  sumOther: 'Other',
  sumAll: 'All of it',
  sumMissing: 'Choose a sum, or type one.',
  sendNote: 'Message, if you like',
  sendNext: 'Review',
  reviewTitle: (sum: string, name: string): string => `Send ${sum} to ${name}?`,
  to: 'To',
  amount: 'Amount',
  fee: 'Fee',
  total: 'In all',
  note: 'Message',
  confirm: (sum: string): string => `Send ${sum}`,
  back: 'Back to your money',
  tooLittle: (needed: string, held: string): string =>
    `That takes ${needed} with the fee, and there is ${held}. Nothing was sent.`,
  sentTitle: (sum: string, name: string): string => `${sum} to ${name}`,
  sentStates: { going: 'On its way', sent: 'Sent', failed: 'It was not sent', undone: 'Taken back' },
  undoneNote: 'It is on its way back to your money here.',
  takeBack: 'Take it back',
  takeBackNote: 'Nobody has collected it yet.',
  goingNote: 'This takes a few seconds. You can close this page: it goes on by itself, and it can’t be sent twice.',
  sentNote: 'If they never collected here before, send them the receipt: it tells them how.',
  openReceipt: 'Open the receipt',

  takeOut: 'Take it out',
  /** `isGuarded`, here and below: a passkey of this money counts. */
  takeOutFree: (isGuarded: boolean): string =>
    isGuarded
      ? `Taking it out is free. It goes to an app or exchange of your own that takes USDC. With its passkey, up to ${AT_ONCE_DOLLARS} a day can leave at once; more may wait ${KNOWN_AFTER_HOURS} to ${WITHDRAWAL_WAIT_MAX_HOURS} hours. Without it, any sum waits ${WITHOUT_PASSKEY_HOURS} hours.`
      : `Taking it out is free. It goes to an app or exchange of your own that takes USDC. Up to ${AT_ONCE_DOLLARS} a day can leave at once; more may wait ${KNOWN_AFTER_HOURS} to ${WITHDRAWAL_WAIT_MAX_HOURS} hours.`,
  /** `places`: the networks, such as “Base or Solana”. */
  takeOutIntro: (places: string): string =>
    `It goes to a wallet or an exchange of your own, and needs an address there. A wallet app or an exchange shows yours under “Receive” or “Deposit”, for USDC on ${places}. Choose the same network there: on another one the money may be lost.`,
  takeOutCost: 'It costs you nothing: we pay for it.',
  takeOutWait: (isGuarded: boolean): string =>
    `To the first address that you use on a network, up to ${AT_ONCE_DOLLARS} a day goes at once. Anything more, or any other new address, waits ${KNOWN_AFTER_HOURS} hours, or up to ${WITHDRAWAL_WAIT_MAX_HOURS} if we cannot tell you of it in another chat or by mail; meanwhile it is shown wherever else you are signed in, and you can cancel it. After that, any amount goes to that address at once.${isGuarded ? ` All this is so with its passkey: without it, any sum waits ${WITHOUT_PASSKEY_HOURS} hours, to any address.` : ''}`,
  noAddress: 'That is no address of a wallet or exchange. Copy it there, under “Receive” or “Deposit”.',

  statement: 'Activity',
  statementAll: 'All activity',
  statementNewest: (count: number): string => `These are the newest ${count}. The table has more.`,
  statementEmpty: 'No activity is listed yet.',
  statementPutIn: 'What was added from elsewhere is listed from {time} on.',
  statementValues: (currency: string): string =>
    `Values in ${currency}: what the sum was worth on its day (UTC), where the rate of that day is known.`,
  statementFile: 'Save as a table (CSV)',
  kinds: { received: 'Received', deposited: 'Added', returned: 'Came back', sent: 'Sent', out: 'Taken out' },
  feeOf: (sum: string): string => `fee ${sum}`,
  reference: (reference: string): string => `No. ${reference}`,
};
