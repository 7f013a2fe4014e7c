import { code, line, type Paragraph } from '../../core/view.ts';
import { DROP_EXAMPLE, SPENDING_WAIT_HOURS, TIP_MAX, TIP_MIN } from '../rules/rules.ts';

/** What there is help about; each is a command. */
export const HELP_TOPICS = [
  'tip',
  'pay',
  'request',
  'drop',
  'top',
  'balance',
  'deposit',
  'wallet',
  'withdraw',
  'limits',
  'lock',
  'unlock',
  'history',
  'claim',
  'link',
  'language',
  'block',
  'privacy',
  'settings',
  'treasury',
  'reward',
] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];

/** `claimDays`: how long money waits to be collected. `historyMax`: how many tips `/history` shows. */
export type HelpFacts = { claimDays: number; historyMax: number };

const days = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

const topics = ({ claimDays, historyMax }: HelpFacts): Record<HelpTopic, Paragraph[]> => ({
  tip: [
    line`${code('/tip @x:alice 1 thank you')}: a name, an amount from ${TIP_MIN} to ${TIP_MAX} USDC, and a note if you like.`,
    line`Several names: ${code('/tip x:alice github:bob 1')} gives 1 to each, ${code('/tip x:alice github:bob 3 split')} shares 3 out. I show the total before anything is sent.`,
    line`Names: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, or a link to a profile.`,
    line`Whoever has no wallet can collect it for ${days(claimDays)}. After that it comes back to you.`,
  ],
  pay: [
    line`${code('/pay @x:alice 1')} is a tip from another wallet or app: I give you a link, and whoever opens it can pay.`,
  ],
  request: [
    line`${code('/request @name 5 lunch')} asks somebody of the group for money; only they can press Pay. ${code('/request on')} lets others ask you, ${code('/request off')} nobody.`,
  ],
  drop: [
    line`${code(DROP_EXAMPLE.command)} shares ${DROP_EXAMPLE.sum} USDC out among those of the group who press in time. You see the list, and strike names, before it is paid.`,
  ],
  top: [
    line`${code('/top')} lists who thanked the most different people in a group, of those who typed ${code('/top on')}. Sums never count.`,
  ],
  balance: [line`${code('/balance')} shows what you have here, on each network.`],
  deposit: [
    line`${code('/deposit')} shows your own addresses here. What you send there can be tipped within a minute.`,
  ],
  wallet: [line`${code('/wallet')} lists what you can pay from, and lets you choose.`],
  withdraw: [
    line`${code('/withdraw 5 0x…')} sends 5 USDC to an address of yours, ${code('/withdraw all 0x…')} everything. I show it all before it is sent.`,
  ],
  limits: [
    line`${code('/limits')} shows what your tips may spend: for one person, without asking you, and in a day. ${code('/limits day 20')} changes it, in our direct chat. Less counts at once, more after ${SPENDING_WAIT_HOURS} hours.`,
  ],
  lock: [
    line`${code('/lock')} stops all spending from your wallets at once, in every chat. ${code('/withdraw')} still works.`,
  ],
  unlock: [
    line`${code('/unlock')} lets you spend again, after ${SPENDING_WAIT_HOURS} hours, so that nobody else can do it unseen.`,
  ],
  history: [
    line`${code('/history')} shows the last ${String(historyMax)} tips that you sent and what became of them, and all of them as CSV.`,
  ],
  claim: [
    line`${code('/claim')} shows what waits for you. ${code('/claim x:alice')} opens the page where that name collects.`,
  ],
  link: [line`${code('/link x:alice')} says how money that is sent to this name of yours arrives in your wallet here.`],
  language: [line`${code('/language')} lets you choose which language I speak with you.`],
  block: [
    line`${code('/block')} lists who sent you something lately, and stops anything more from them. They are not told, and what waits from them goes back.`,
  ],
  privacy: [line`${code('/privacy')} gives you what I know of you, erases it, or refuses all tips to you.`],
  settings: [line`${code('/settings')} shows those who moderate here what holds for tips, and how to change it.`],
  reward: [
    line`${code('/reward https://farcaster.xyz/alice/0x0123abcd 5')} shows those who moderate here how 5 USDC of the treasury would be shared out among all who engaged with that post, and asks them to confirm. ${code('/reward without bob')} leaves somebody out.`,
  ],
  treasury: [
    line`${code('/treasury')} shows what a server or group has for rewards, how to pay in, and how it is taken out.`,
  ],
});

/** Help about one command at a time. */
export const helpEn = {
  help: (isPlayMoney: boolean): Paragraph[] => [
    line`Send ${TIP_MIN} to ${TIP_MAX} USDC to anyone by the name they already go by.`,
    line`${code('/tip @x:alice 1')} sends 1 USDC to alice on X. A few words after it become a note.`,
    line`Names that work: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, or a link to a profile.`,
    line`Amounts: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')}, ${code('all')}.`,
    line`${code('/balance')} shows what you have, ${code('/deposit')} ${isPlayMoney ? 'gets you more play money' : 'how to add money'}, ${code('/wallet')} what you collected and keep here.`,
    line`${code('/withdraw')} sends it to an address of yours.`,
  ],
  unknown: (): Paragraph => line`I didn’t get that. Here is what I can do:`,
  helpOn: (topic: HelpTopic, facts: HelpFacts): Paragraph[] => topics(facts)[topic],
  moreHelp: (): Paragraph => line`${code('/help tip')} says more about one command. There are also:`,
};
