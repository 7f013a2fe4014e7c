import type { Mistake, MistakeCode } from '../../core/grammar/mistakes.ts';
import type { NameReason } from '../../core/grammar/name-reason.ts';
import type { RuleProblem, SettingFact } from '../../texts/communities/facts.ts';
import { HELP_TOPICS } from '../../texts/help/en.ts';
import type { Texts } from '../../texts/en.ts';
import { RECEIPT_STYLES } from '../../core/communities/community-settings.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { WIRE_STATUSES, WITHDRAWAL_FAILURES } from '../../core/states.ts';
import { DROP_SAMPLES } from './drop-samples.ts';
import { LIMITS_SAMPLES } from './limits-samples.ts';
import { REQUEST_SAMPLES } from './request-samples.ts';
import { REWARD_SAMPLES } from './reward-samples.ts';
import { TREASURY_SAMPLES } from './treasury-samples.ts';
import { WITHDRAWAL_SAMPLES } from './withdrawal-samples.ts';

/**
 * What each text is called with: words and numbers that no language would say by itself, so that a test can look for
 * them. Every branch of the English text has a sample. A new text needs a row, which the compiler asks for.
 */
type Call<Text> = Text extends (...values: infer Values) => unknown ? Readonly<Values> : never;
type SamplesOf<Section> = {
  readonly [Key in keyof Section as Section[Key] extends (...values: never[]) => unknown ? Key : never]: readonly Call<
    Section[Key]
  >[];
};

const usdc = (cents: number): MicroUsdc => microUsdc(BigInt(cents) * 10_000n);
const NAME = 'zqname';
/** As rows have it and commands write it; people read `@zqperson on X`. */
const PERSON = 'x:zqperson';
const HERE = 'zqhere';
const THERE = 'zqthere';
const ADDRESS = 'zqaddress';

const tip = { amount: usdc(3_17), fee: usdc(0), recipient: 'x:zqrecipient', walletName: null };
const dearTip = { ...tip, fee: usdc(23), walletName: PERSON };
const oneName = { names: ['x:zqfirst'], more: 0 };
const someNames = { names: ['x:zqfirst', 'x:zqsecond'], more: 0 };
const manyNames = { names: ['x:zqfirst', 'x:zqsecond'], more: 57 };
const someChannels = { names: ['zqfirst', 'zqsecond'], more: 0 };
const manyChannels = { names: ['zqfirst', 'zqsecond'], more: 57 };
const several = { count: 37, amount: usdc(3_17), fee: usdc(0), note: null, walletName: null };

const filled = (place: string, cents: number) => ({ place, amount: usdc(cents) });
const silent = (place: string) => ({ place, amount: null });
const HOLDINGS = [
  [filled(HERE, 317)],
  [filled(HERE, 317), filled(THERE, 0)],
  [filled(HERE, 317), filled(THERE, 641)],
  [filled(HERE, 317), silent(THERE)],
  [filled(HERE, 0)],
  [silent(HERE), silent(THERE)],
];
const WALLETS = HOLDINGS.flatMap((places) => [
  { name: null, places },
  { name: PERSON, places },
]);
const BOTH = [true, false];
const WALLETS_TWICE = WALLETS.flatMap((wallet) => BOTH.map((is): [typeof wallet, boolean] => [wallet, is]));
const ADDRESSES = [
  [{ place: HERE, address: ADDRESS }],
  [
    { place: HERE, address: ADDRESS },
    { place: THERE, address: 'zqanother' },
  ],
];

const MISTAKES: Record<MistakeCode, true> = {
  empty_tip: true,
  no_recipient: true,
  no_amount: true,
  which_network: true,
  unknown_network: true,
  name_in_two_words: true,
  bad_recipient: true,
  wallet_address: true,
  phone_number: true,
  bank_account: true,
  platform_domain: true,
  post_of_owner: true,
  post_without_author: true,
  mail_domain: true,
  two_payments: true,
  how_shared: true,
  counted_amount: true,
  word_amount: true,
  repeated_tip: true,
  called_off: true,
  all_or_wish: true,
  did_you_mean: true,
  undo_is_a_button: true,
  too_many_recipients: true,
  thousands_separator: true,
  shorthand_amount: true,
  too_many_decimals: true,
  other_currency: true,
  unreadable_amount: true,
  too_small: true,
  too_large: true,
  note_too_long: true,
  no_withdraw_amount: true,
  plain_digits: true,
  command_too_long: true,
  unknown_setting: true,
  setting_choice: true,
  setting_amount: true,
  cooldown_time: true,
  lifetime_time: true,
  setting_person: true,
  setting_role: true,
};

const SETTING_FACTS: SettingFact[] = [
  { setting: 'channels', names: [], more: 0 },
  { setting: 'channels', ...someChannels },
  { setting: 'channels', ...manyChannels },
  ...(['min', 'max'] as const).flatMap((setting) => [null, usdc(317)].map((amount) => ({ setting, amount }))),
  ...(['cooldown', 'lifetime'] as const).flatMap((setting) => [null, 'zqtime'].map((time) => ({ setting, time }))),
  ...RECEIPT_STYLES.map((style) => ({ setting: 'receipts', style }) as const),
  ...BOTH.map((isOn) => ({ setting: 'notes', isOn }) as const),
  ...[null, NAME].map((name) => ({ setting: 'language', name }) as const),
  ...[null, HERE].map((name) => ({ setting: 'log', name }) as const),
  { setting: 'role', name: null, hasRoles: false },
  { setting: 'drops', name: null, hasRoles: false },
  ...[null, NAME].map((name) => ({ setting: 'drops', name, hasRoles: true }) as const),
  { setting: 'quorum', count: 1 },
  { setting: 'quorum', count: 2 },
  ...[null, NAME].map((name) => ({ setting: 'role', name, hasRoles: true }) as const),
  { setting: 'ban', count: 37 },
];

const RULE_PROBLEMS: RuleProblem[] = [
  { code: 'banned' },
  { code: 'other_channel', ...someChannels },
  { code: 'other_channel', ...manyChannels },
  { code: 'no_notes' },
  { code: 'below_min', limit: usdc(317) },
  { code: 'above_max', limit: usdc(317) },
  { code: 'too_soon', endsAtMs: 0 },
];

const REASONS: NameReason[] = [
  { kind: 'hidden' },
  { kind: 'look_alike', character: 'zqcharacter', like: 'zqlike' },
  { kind: 'character', character: 'zqcharacter', title: 'zqtitle' },
  { kind: 'page' },
  { kind: 'number', title: 'zqtitle' },
  { kind: 'form', title: 'zqtitle' },
];

const MISTAKE_CODES = Object.keys(MISTAKES) as MistakeCode[];

export const SAMPLES: SamplesOf<Texts> = {
  failure: [['zqreason', 'x:zqrecipient']],
  missing: [[usdc(641), usdc(317), usdc(324)]],
  wasMissing: [[]],
  howToAdd: [[]],
  mistake: [
    ...MISTAKE_CODES.map((code): [Mistake] => [{ kind: 'mistake', code, found: 'zqfound', examples: ['/tip'] }]),
    ...REASONS.map((reason): [Mistake] => [
      { kind: 'mistake', code: 'bad_recipient', found: 'zqfound', examples: ['/tip'], reason },
    ]),
  ],

  historyTitle: [[]],
  historyLine: WIRE_STATUSES.map((status) => [{ ...tip, status, number: 7, sentAt: new Date('2026-11-21T23:59:59Z') }]),
  historyReceipt: [[7, 'x:zqrecipient']],
  historyCsv: [[]],
  noHistory: [[]],
  askLanguage: [[]],
  asMyApp: [[]],
  speaksNow: [['zqlanguage']],
  speaksAsApp: [[]],
  noSuchLanguage: [[]],
  waitsForYou: [[usdc(317)]],
  nothingWaits: [[]],
  receiveHere: [[]],
  keepHere: [[usdc(317)]],
  kept: [[]],
  keptNoRoom: [[]],
  collectElsewhere: [[]],
  collectWhich: [[]],
  collectAs: [[PERSON]],
  claimRefused: [[]],
  claimUnreachable: [[]],
  linkWhich: [[]],
  linkChat: [[]],
  linkKeep: [[PERSON]],
  openPage: [[]],
  privacy: [[]],
  smallAreQuiet: [[]],
  smallAreHeard: [[]],
  quietSmall: [[]],
  ringSmall: [[]],
  declinedTip: [[]],
  noteFrom: [[NAME, usdc(3_17)]],
  readsNotes: [[]],
  blockWhom: [[]],
  giver: [true, false].map((isBlocked) => [37, 'zqname', isBlocked]),
  blockGiver: [[37]],
  allowGiver: [[37]],
  nobodyGave: [[]],
  blockedGiver: [[]],
  allowedGiver: [[]],
  exportJson: [[]],
  eraseNow: [[]],
  erased: [[1], [37]],
  optOut: [[]],
  optedOut: [[]],
  linkLasts: [[37]],
  helpOn: HELP_TOPICS.flatMap((topic) => [
    [topic, { claimDays: 31, historyMax: 17 }],
    [topic, { claimDays: 1, historyMax: 17 }],
  ]),
  moreHelp: [[]],

  payByLink: [[usdc(3_17)]],
  linkOffer: [true, false].map((isAsked) => [{ total: usdc(3_17), recipient: PERSON, minutes: 37, isAsked }]),
  addAndSend: [[]],
  sendNow: [[]],
  linkInUse: [[]],
  goesOnThere: [[]],
  noLink: [[]],
  tipped: [
    [{ recipient: 'x:zqrecipient', total: usdc(317), tips: 1, people: 1 }],
    [{ recipient: 'x:zqrecipient', total: usdc(317), tips: 57, people: 37 }],
  ],
  takenBackAll: [[]],
  rushTitle: [[{ tips: 1, people: 1, sum: usdc(3_17) }], [{ tips: 43, people: 37, sum: usdc(3_17) }]],
  rushLine: [['zqgiver', 'x:zqrecipient', usdc(3_17)]],
  rushMore: [[37]],
  rushCall: [[['x:zqfirst', 'x:zqsecond'], 57]],
  openReceipt: [[]],

  selfTip: [['x:zqrecipient']],
  ownBotTip: [[]],
  botTip: [['x:zqrecipient']],
  nobodyByName: [['@zqrecipient']],
  namesInGroups: [['zqrecipient', 'Zqplatform']],

  settingsTitle: [[]],
  settingsChanged: [[]],
  settingsElsewhere: [[]],
  settingsForModerators: [[]],
  setting: SETTING_FACTS.map((fact) => [fact]),
  settingsProblem: [
    [{ code: 'min_above_max', min: usdc(641), max: usdc(317) }],
    [{ code: 'everywhere_already' }],
    [{ code: 'too_many_channels' }],
    [{ code: 'role_of_all' }],
    [{ code: 'drops_for_all' }],
    [{ code: 'not_owner' }],
  ],
  banned: [[NAME]],
  unbanned: [[NAME]],
  wasNotBanned: [[NAME]],
  noSelfBan: [[]],
  ruleProblem: RULE_PROBLEMS.map((problem) => [problem, 'zqwait']),

  ...DROP_SAMPLES,
  ...LIMITS_SAMPLES,
  ...REQUEST_SAMPLES,
  ...REWARD_SAMPLES,
  ...TREASURY_SAMPLES,
  ...WITHDRAWAL_SAMPLES,

  people: [[1], [37]],
  askSeveral: [[several], [{ ...several, fee: usdc(23), note: 'zqnote', walletName: PERSON }]],
  part: [oneName, someNames, manyNames].map((names) => [{ ...names, amount: usdc(317) }]),
  unevenSplit: [[usdc(1)]],
  namedTwice: [
    [['x:zqfirst'], 0],
    [['x:zqfirst'], 57],
  ],
  askedFor: [[37]],
  confirmSeveral: [[usdc(317)]],
  cancel: [[]],
  cancelled: [[]],
  cardExpired: [[37]],
  askAtRate: [null, 'zqsource'].map((source) => [
    { typed: { currency: 'zqcurrency', amount: usdc(641) }, amount: usdc(317), rate: usdc(324), source },
  ]),
  payAtRate: [[]],
  rateHolds: [[37]],
  rateIsOver: [[]],
  allEach: [[]],
  oneWasRefused: [[]],
  lineResults: WIRE_STATUSES.flatMap((status) => [[{ status, ...someNames }], [{ status, ...manyNames }]]),
  moreReceipts: [[37]],
  undoWaiting: [[]],
  undoneFor: [[{ amount: usdc(317), ...someNames }], [{ amount: usdc(317), ...manyNames }]],
  undoTooLateFor: [
    [someNames.names, 0],
    [manyNames.names, 57],
  ],
  notYourButton: [[]],

  balance: WALLETS_TWICE,
  inSeveralPlaces: HOLDINGS.map((places) => [places]),
  addressesOf: [[PERSON]],
  playDeposit: ADDRESSES.map((addresses) => [addresses]),
  deposit: ADDRESSES.map((addresses) => [addresses]),
  wallets: [[]],
  wallet: WALLETS_TWICE,
  onlyWallet: [[]],
  showQrCode: [[]],
  payFrom: [[null], [PERSON]],
  choseWallet: [[null], [PERSON]],
  noSuchWallet: [[]],
  passkeyWaits: (['added', 'ends'] as const).map((change) => [
    { name: PERSON, change, at: new Date('2026-11-21T23:59:59Z') },
  ]),
  newcomers: [1, 37].flatMap((count) =>
    [true, false].map(
      (isGuarded) => [{ name: PERSON, count, at: new Date('2026-11-21T23:59:59Z'), isGuarded }] as const,
    ),
  ),
  endNewcomers: [[null], [PERSON]],
  endedNewcomers: [[0], [37]],

  thinking: [[]],
  askingPrice: [[]],
  paying: [[tip], [dearTip]],
  stillPaying: [[tip]],
  payingLater: [[tip]],
  sent: [[tip], [dearTip]],
  waits: [true, false].map((isAll) => [usdc(3_17), isAll]),
  soFar: [[usdc(3_17), usdc(5_71)]],
  getPlayMoney: [[]],
  tryAgain: [[]],
  help: BOTH.map((isPlayMoney) => [isPlayMoney]),
  unknown: [[]],
  gettingPlayMoney: [[]],
  welcome: [[usdc(317)]],
  gotPlayMoney: [[usdc(317)]],
  noPlayMoney: [[]],
  nothingToSend: [[usdc(0)], [microUsdc(7_000n)]],
  tooMuchAtOnce: [[usdc(317)]],
  buttonIsOver: [[]],
  somethingWrong: [[]],
};

export const PAY_PAGE_SAMPLES: SamplesOf<Texts['payPage']> = {
  title: [[usdc(317)]],
  titlePaid: [[usdc(317)]],
  titleClosed: [[usdc(317)]],
  forWhom: [[NAME]],
  gets: [[NAME, usdc(317)]],
  more: [[37]],
  reward: [[NAME]],
  rewardAddress: [[NAME]],
  fee: [[usdc(23)]],
  ourAddress: [[NAME]],
  payWith: [['zqwallet']],
  openIn: [['zqwallet']],
  newcomerNote: [[HERE]],
  on: [[HERE]],
  qrCode: [[HERE]],
  qrPayment: [[HERE]],
  paidNote: [[NAME]],
  receiptOf: [[NAME]],
};

export const WALLET_PAGE_SAMPLES: SamplesOf<Texts['walletPage']> = {
  balance: [[usdc(317), HERE]],
  balanceUnknown: [[HERE]],
  depositAt: [[HERE]],
  qrCode: [[HERE]],
  reviewHeading: [[usdc(317)]],
  confirm: [[usdc(317)]],
  failedNote: [...WITHDRAWAL_FAILURES, null].map((failure) => [failure]),
  refreshNote: [[37]],
};

export const PURSE_SAMPLES: SamplesOf<Texts['purse']> = {
  of: [[NAME]],
  leaving: [['zqsum']],
  waits: [['zqsum']],
  keeper: [[NAME]],
  signInWith: [[NAME]],
  newcomerTitle: [[2], [37]],
  signOutLast: [true, false].flatMap((isSeen) =>
    [true, false].map((isGuarded) => ['zqhours', isSeen, isGuarded] as const),
  ),
  takeOutFree: [[true], [false]],
  takeOutWait: [[true], [false]],
  linkHereNote: [[true], [false]],
  linkThereNote: [[true], [false]],
  signOutCallsOff: [['zqsum']],
  takeOutIntro: [['zqplaces']],
  outLink: [[37]],
  linkTitle: [[NAME]],
  linkHere: [[NAME]],
  linkThere: [[NAME, 'zqaccount']],
  places: [[1], [37]],
  statementNewest: [[37]],
  statementValues: [['ZQC']],
  passkeys: [[1], [37]],
  account: [[NAME]],
  reviewTitle: [['zqsum', NAME]],
  confirm: [['zqsum']],
  tooLittle: [['zqneeded', 'zqheld']],
  sentTitle: [['zqsum', NAME]],
  feeOf: [['zqsum']],
  reference: [['zqreference']],
};
