import { PROOF_REFUSALS, type ProofRefusalReason } from '../../core/claims/proof-refusals.ts';
import type { ClaimMethod } from '../../core/platforms/row.ts';
import { AT_ONCE_DOLLARS, WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS } from '../rules/rules.ts';
import { goingBackEn, type GoesBackIf } from '../going-back/en.ts';

const goesBack = (condition: GoesBackIf, on: string): string =>
  goingBackEn.sentence({ if: condition, to: 'sender', on });

/** `title`: the platform as people call it. `person`: how one of its people is called. */
export type ProofFacts = { title: string; person: string };

const yours = (method: ClaimMethod, title: string): string => {
  if (method === 'email') return 'e-mail address';
  return method === 'domain' ? 'website' : `name on ${title}`;
};

/** How the name is proven, as the step that follows. */
const howToProve: Record<ClaimMethod, (facts: ProofFacts) => string> = {
  oauth: ({ title }) =>
    `Next you sign in on ${title}’s own page, so that nobody else can take it. Only ${title} sees what you type there.`,
  siwf: () => 'Next you say yes in your Farcaster app, so that nobody else can take it.',
  email: ({ person }) => `Next we send a code to ${person}, so that nobody else can take it.`,
  domain: ({ person }) => `Next you publish one line on ${person}, so that nobody else can take it.`,
  chat: ({ title }) => `This is collected in ${title} itself, where our bot sees that it is you.`,
};

const refusals: Record<ProofRefusalReason, string> = PROOF_REFUSALS;

/** What a person reads who collects money: short, and for those who never heard of us. */
export const claimPagesEn = {
  problem: (title: string): string => `Problem: ${title}`,
  collect: 'Collect',
  description: 'Collect money that was sent to a name of yours. It costs nothing.',
  collectFor: (person: string): string => `Collect money sent to ${person}`,
  collectYours: (method: ClaimMethod, title: string): string => `Collect money sent to your ${yours(method, title)}`,
  startAgain: 'Start again',
  next: 'Continue',
  and: ' and ',

  nameHeading: (method: ClaimMethod, title: string): string => `Money for your ${yours(method, title)}`,
  nameLabel: (method: ClaimMethod, title: string): string => `Your ${yours(method, title)}`,
  mayWait: 'Money may be waiting for you.',
  sentBy: (sender: string, to: string): string => `Sent by ${sender} to ${to}.`,

  promise: 'It costs nothing. We never ask for a card, a password or secret words.',
  goesBackOn: (day: string): string => goingBackEn.sentence({ if: 'you_do_nothing', to: null, on: day }),
  moneyFor: (person: string): string => `Money for ${person}`,
  sameForAll: (person: string): string =>
    `Money may be waiting for ${person}. Only the person who proves to be ${person} is told; for everybody’s privacy this page is the same for every name.`,
  stateOfReceipt: (receipt: string): string => `That is the state of the money on the ${receipt}. More may be waiting.`,
  receiptYouCameFrom: 'receipt you came from',
  notCollected: (duration: string): string => `What nobody collects goes back after ${duration}.`,
  notOffered: 'Names like this one cannot be collected for on this installation.',
  notOfferedNote: 'Nothing is lost: what nobody collects goes back to its sender.',
  whereTo: 'Where should it go?',
  keep: 'Keep it here',
  keepHint: (operator: string): string =>
    `${operator} keeps it for you, with no end date. It is in USDC, a digital dollar. You can take it out whenever you like, to an app or exchange of your own that accepts it. Taking it out is free: up to ${AT_ONCE_DOLLARS} a day can leave at once, and more may wait ${WITHDRAWAL_WAIT_HOURS} to ${WITHDRAWAL_WAIT_MAX_HOURS} hours, for your safety. This is not a bank account, and not insured.`,
  keepHintPlay: (operator: string): string =>
    `${operator} keeps it for you, with no end date. It is in USDC, a digital dollar. You can send it on whenever you like, or take it out to an app or exchange of your own that accepts it. Taking it out is free: up to ${AT_ONCE_DOLLARS} a day can leave at once, and more may wait ${WITHDRAWAL_WAIT_HOURS} to ${WITHDRAWAL_WAIT_MAX_HOURS} hours, for your safety. This is not a bank account, and not insured.`,
  keepMost: (most: string): string => `At most ${most} can be kept here for one person.`,
  haveAddress: 'Send it to my own app or exchange',
  yourAddress: 'Your address there',
  addressHint: (places: string): string => `Of a wallet or an exchange that takes USDC on ${places}.`,
  whichNetwork: 'Network',
  sendThere: 'Send it there',
  copyAddress: 'What has gone there cannot be called back, so copy the address rather than typing it.',
  wallet: {
    /** `{wallet}` is the name of one that the browser has. */
    use: 'Use {wallet}',
    asks: 'Your wallet asks you now.',
    refused: 'Your wallet gave no address. Paste it instead.',
    filled: 'This is the address of your wallet.',
  },
  dontWant: 'I don’t want it',
  howToProve,
  mailProves: 'The link in the mail shows that it is you: you see the sum next, and confirm.',

  step: (step: number, of: number): string => `Step ${step} of ${of}`,
  /** Above each step, so that the sum stays in sight. */
  sumFrom: (sum: string, sender: string): string => `${sum} from ${sender}`,
  showYou: (person: string): string => `Show that you are ${person}`,
  showName: 'Show that the name is yours.',
  willStay: 'Then your money is kept here for you.',
  willGoBack: 'Then the money goes back to its sender.',
  willGoTo: (addresses: string): string => `Then your money goes to ${addresses}.`,
  timeUntil: (time: string): string => `Finish this by ${time}; after that, just start again.`,
  waitingForProof: 'We are waiting for your proof',
  loadAgain: 'Load this page again in a moment, or start again.',
  signInWith: (title: string): string => `Sign in with ${title}`,
  signInAs: (person: string): string =>
    `Sign in as ${person}. You come back here by yourself. We learn your name there, and can do nothing in it.`,

  typeCode: 'Type the code from the mail',
  codeOver: 'That code has expired',
  openMail: 'Open the link in the mail',
  codeWentTo: (digits: number, minutes: number, address: string): string =>
    `It has ${digits} digits, works for ${minutes} minutes, and went to ${address}.`,
  askForAnother: (address: string): string => `Ask for another one; it goes to ${address}.`,
  goesTo: (address: string): string => `It goes to ${address}.`,
  triesLeft: (count: number): string => (count === 1 ? 'One try is left.' : `${count} tries are left.`),
  mailWasSent: (time: string, minutes: number): string =>
    `A mail was sent at ${time}. The link in it works in any browser for ${minutes} minutes, and asks you there where the money goes. Look under spam as well.`,
  orOpenLink: (minutes: number): string =>
    `Or open the link in it: it works in any browser for ${minutes} minutes, and asks you there where the money goes.`,
  localMail: (link: string): string => `On this computer all mail is in ${link}.`,
  localMailbox: 'the local mailbox',
  code: 'Code',
  anotherCode: 'Send another code',

  farcaster: 'Say yes in your Farcaster app',
  farcasterAs: (person: string): string =>
    `Open it on the phone that has your account, and sign in as ${person}. Nothing is posted, and nothing is paid.`,
  openFarcaster: 'Open Farcaster',
  otherDevice: 'Is the app on another device? Point its camera here, or open this link there:',
  farcasterQr: 'A code that opens Farcaster on your phone',
  goesOn: 'This page goes on by itself as soon as you have said yes.',
  saidYes: 'I have said yes',

  siteIsYours: (site: string): string => `Show that ${site} is yours`,
  publish: 'Publish this line, then press the button:',
  onePlace: 'One of these two places is enough:',
  dnsRecord: 'A DNS record of type TXT with the name',
  textFile: 'A text file at',
  localSite: (link: string): string => `On this computer you publish for any website in ${link}.`,
  localOne: 'the local one',
  checkNow: 'Check now',
  dnsTakesTime: 'A change of DNS may take a few minutes to be seen. You can check as often as you like.',
  copy: 'Copy',
  copied: { link: 'Link copied', line: 'Line copied', name: 'Name copied', address: 'Address copied' },

  youAre: (person: string): string => `You are ${person}`,
  lastLook: 'A last look before anything moves.',
  /** Where nothing waits. */
  laterStays: 'Whatever is sent to you from now on becomes yours, and stays here.',
  laterGoes: 'Whatever is sent to you from now on goes to:',
  goesBack: (sum: string): string => `${sum} goes back to its sender.`,
  staysHere: (sum: string): string => `${sum} becomes yours, and stays here.`,
  goesHere: (sum: string): string => `${sum} goes to:`,
  onNetwork: (address: string, place: string): string => `${address} on ${place}`,
  nothingWaits: 'Nothing is waiting for you right now.',
  nothingWaitsNote: 'It may have been collected already, or gone back to its sender.',
  otherAddress: 'If it was sent to another address of yours, start again with that one.',
  cameInOn: (sum: string, place: string): string => `${sum} of it came in on ${place}.`,
  broughtOver:
    'It goes to the same address as soon as we can bring it over, and waits here until then. Want it at once? Start again, and keep it here or give an address there.',
  confirmKeep: (sum: string): string => `Keep ${sum} here`,
  confirmSend: (sum: string): string => `Send ${sum} there`,
  neverAgain: 'Never again: nobody can send money to this name here.',
  sendBack: 'Send it back',
  notRight: 'Not right? Start again',

  collectedBy: (person: string): string => `Collected by ${person}`,
  follows: 'Follows the money until it has arrived.',
  waitsForAddress: 'It waits for an address',
  isYours: 'It is yours',
  onItsWay: 'On its way to you',
  allSet: 'All set',
  yoursAndWaits: 'It is yours, and waits for an address that can take it',
  waitsForRoom: 'It waits for room',
  yoursNoRoom: 'It is yours, and waits: no more can be kept here for you now',
  yoursAndStays: 'It is yours, and stays here for you',
  arrived: 'It has arrived',
  wentBack: 'It went back',
  goingBack: 'It is going back',
  wentBackNote: (sum: string): string =>
    `No address of yours could take ${sum} in time, so it goes back to its sender. Ask them to send it again, and keep it here next time.`,
  partWentBack: (sum: string): string =>
    `Another ${sum} goes back to its sender: no address of yours could take it in time.`,
  takenBack: (sum: string): string => `${sum} goes back to its sender, who took it back, or you did not want it.`,
  newAddressFrom: (time: string): string =>
    `Another address was here before, so for your safety the new one counts from ${time}. Until then money goes to the one before.`,
  sentAs: (parts: string, places: string, day: string): string =>
    `It was sent as ${parts}, and your address is on ${places}. We cannot bring it over right now, and do so by ourselves as soon as we can. ${goesBack('nothing_changes', day)}`,
  noRoom: (sum: string, most: string, day: string): string =>
    `We keep at most ${most} for you here, and ${sum} more does not fit. Send some on or take some out, and what fits then comes by itself; or give an address of your own. ${goesBack('nothing_changes', day)}`,
  noneKept: (sum: string, day: string): string =>
    `We take in no more money to keep at the moment, so ${sum} waits. Give an address of your own to get it. ${goesBack('nothing_changes', day)}`,
  sumOn: (sum: string, place: string): string => `${sum} on ${place}`,
  fewSeconds: 'This takes a few seconds. You can close this page.',
  nextArrives: 'What is sent to you from now on arrives by itself.',
  moreArrives: 'More that is sent to you arrives by itself.',
  progress: 'Progress of your money',
  /** The steps: the name is this person's, the money leaves, it has landed. */
  proven: 'Confirmed',
  waiting: 'Waiting',
  sent: 'On its way',
  there: 'Arrived',
  returned: 'Returned',
  sendOn: 'Send it on',
  seeMoney: 'See your money',
  giveAddress: (places: string): string => `Give an address on ${places}`,
  receipts: 'Receipts',
  receiptFor: (sum: string): string => `The receipt for ${sum}`,
  followsPayment: 'This page follows the payment by itself.',
  reloads: 'This page loads itself again by itself until the money has arrived.',

  timeOver: 'The time for this is over',
  timeOverNote: 'Nothing was moved and nothing is lost: what waits still waits.',
  didNotWork: 'That did not work',
  stillWaits: 'What waits still waits.',
  nothingMoved: 'Nothing was moved and nothing is lost.',
  itGoesBack: 'It goes back',
  itGoesBackNote: 'The money goes back to its sender.',
  returnToSender: 'Return to sender',
  wasWaiting: 'What was waiting goes back to its sender, by itself.',
  changedMind: (link: string): string =>
    `If you chose “never again”, nobody can send money to this name here from now on. Changed your mind? ${link}, and it is open again.`,
  collectOnce: 'Collect once',
  startHere: 'Start here',
  otherBrowser: 'This was begun in another browser.',
  letUsStart: 'Let us start here',
  otherBrowserNote:
    'This was begun in another browser, and only that one can go on with it; nothing is lost if you start again here.',
  openLinkAgain: 'Open the link that you were sent once more, or go to the start page.',
  toStartPage: 'To the start page',
  linkOver: 'This link is over, or it was used in another browser.',

  refusals,
  signInAsThen: (person: string): string => `Sign in as ${person}, then it works.`,
  noAnswer: 'The other side did not answer. Try again in a moment.',
  notProven: 'This could not be proven. Nothing was moved.',
};

export type ClaimPageTexts = typeof claimPagesEn;
