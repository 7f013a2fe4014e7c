import type { DropEnd, DropProblem, TakeProblem } from '../../core/drops/drops.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import {
  DROP_EXAMPLE,
  DROP_TIME_MAX,
  DROP_TIME_MIN,
  KNOWN_ANSWERS,
  KNOWN_DAYS,
  OWN_WAIT_MINUTES,
  TIP_MAX,
  TIP_MIN,
  TREASURY_DROP_EXAMPLE,
} from '../rules/rules.ts';

/** A drop as its card says it; people by their ids, which each chat shows as names. `role`: null for those known there. */
export type DropFacts = {
  giver: string;
  amount: MicroUsdc;
  share: MicroUsdc;
  people: number;
  role: string | null;
  time: string;
  /** Out of the community's treasury. */
  isTreasury: boolean;
};
/** What a card says that takes no shares any more. */
export type DropStage = 'closed' | 'listed' | 'unpaid' | DropEnd;
/** `hours`: how long the giver has to pay it. `confirmed`, `quorum`: of those who moderate, where the treasury pays. */
export type StageFacts = DropFacts & { taken: number; hours: number; confirmed: number; quorum: number };
export type ShareFacts = Pick<DropFacts, 'giver' | 'share' | 'role'>;
export type DropLimits = { least: number; most: number };

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const who = (role: string | null): string =>
  role === null
    ? `For everyone who has been here for ${KNOWN_DAYS} days, with ${KNOWN_ANSWERS} messages that others answered.`
    : `For everyone with the role ${role}, and those who moderate.`;

/** A sum for those of a group who ask for a share in time. */
export const dropsEn = {
  dropCard: ({ giver, amount, share, people, role, time, isTreasury }: DropFacts, taken: number): Paragraph[] => [
    line`${giver} drops ${usdc(amount)}: ${usdc(share)} each for ${String(people)} people.`,
    line`Taken: ${strong(`${taken} of ${people}`)}. It closes ${time} after it began.`,
    [
      muted(
        `${who(role)} One share a person. ${isTreasury ? 'Those who moderate confirm the list before it is paid.' : 'The giver sees the list before it is paid.'}`,
      ),
    ],
  ],
  dropCommunity: (place: 'start' | 'within'): string => (place === 'start' ? 'The community' : 'the community'),
  takeShare: (): string => 'I’m in',
  callOffDrop: (): string => 'Call it off',
  seeDropList: (): string => 'See the list',
  dropStage: (stage: DropStage, { giver, amount, taken, hours, confirmed, quorum }: StageFacts): Paragraph => {
    switch (stage) {
      case 'closed':
        return line`Closed: ${strong(String(taken))} asked for a share of ${usdc(amount)}. ${giver} looks at the list and pays it within ${String(hours)} hours.`;
      case 'listed':
        return line`Closed: ${strong(String(taken))} asked for a share of ${usdc(amount)} from the treasury. Those who moderate confirm the list: ${strong(`${confirmed} of ${quorum}`)} so far. It is paid within ${String(hours)} hours, or not at all.`;
      case 'unpaid':
        return line`The drop of ${giver} over ${usdc(amount)} could not be paid. Nobody was charged.`;
      case 'called_off':
        return line`${giver} called off the drop of ${usdc(amount)}. Nobody was paid.`;
      case 'nobody':
        return line`${giver} dropped ${usdc(amount)}. Nobody asked for a share.`;
      case 'lapsed':
        return line`${giver} did not pay the drop of ${usdc(amount)} in time. Nobody was paid.`;
    }
  },
  tookShare: ({ share, giver }: ShareFacts): Paragraph =>
    line`You’re in: ${usdc(share)} for you, once ${giver} has looked at the list and paid it.`,
  takeProblem: (problem: TakeProblem, { role }: ShareFacts): Paragraph[] => {
    switch (problem) {
      case 'own':
        return [line`That drop is yours. It is for the others.`];
      case 'not_eligible':
        return [line`This one is not for you yet.`, line`${who(role)}`];
      case 'other_name':
        return [line`You have a share of it already, under another name of yours.`];
      case 'full':
        return [line`All shares are taken.`];
      case 'over':
        return [line`This drop takes nobody in any more.`];
      case 'unknown':
        return [line`I can’t see right now who has the role. Press again in a moment.`];
      case 'takes_nothing':
        return [
          line`You have asked for no such payments, so I leave you out. ${code('/privacy')} and ${code('/block')} show it.`,
        ];
    }
  },
  dropList: (count: number, sum: MicroUsdc): Paragraph =>
    line`${strong(String(count))} on your list, ${usdc(sum)} in all. Nothing is paid before you press.`,
  dropListed: (number: number, name: string, amount: MicroUsdc): Paragraph =>
    line`${String(number)}. ${name}: ${usdc(amount)}`,
  dropStrikeHint: (isTreasury: boolean): Paragraph => [
    muted(
      isTreasury
        ? 'A struck name gets nothing and is not told. Its share stays in the treasury, and the list is confirmed anew.'
        : 'A struck name gets nothing and is not told. Its share stays with you.',
    ),
  ],
  payDrop: (sum: MicroUsdc): string => `Pay ${formatUsdcForPeople(sum)} USDC`,
  confirmDrop: (sum: MicroUsdc): string => `Confirm ${formatUsdcForPeople(sum)} USDC`,
  dropConfirmed: (): Paragraph => line`Confirmed. Others who moderate confirm it as well, then it is paid.`,
  strikeFromDrop: (number: number): string => `Strike ${number}`,
  explainDrops: (): Paragraph[] => [
    line`${code(DROP_EXAMPLE.command)} shares ${DROP_EXAMPLE.sum} USDC out among up to ${DROP_EXAMPLE.people} people of this group who press in time: ${DROP_EXAMPLE.share} each.`,
    line`When it closes you see the list, strike whom you don’t want, and pay. What nobody took stays yours.`,
    line`${code(TREASURY_DROP_EXAMPLE)} takes the community’s money: those who moderate ask for it, and others of them confirm the list.`,
  ],
  dropProblem: (problem: DropProblem, { least, most }: DropLimits): Paragraph => {
    switch (problem) {
      case 'unreadable':
        return line`A drop says how much, for how many, and for how long:`;
      case 'people':
        return line`A drop is for ${String(least)} to ${String(most)} people:`;
      case 'time':
        return line`Shares can be asked for during ${DROP_TIME_MIN} to ${DROP_TIME_MAX}:`;
      case 'share':
        return line`Each share is ${TIP_MIN} to ${TIP_MAX} USDC:`;
      case 'elsewhere':
        return line`A drop belongs in a group. Type it there.`;
      case 'no_role':
        return line`The moderators here say first which role may take part:`;
      case 'nobody_known':
        return line`Nobody here could take a share yet: I have to see people talk for ${KNOWN_DAYS} days, and to be allowed to. Make me an administrator of this group.`;
      case 'busy':
        return line`You have a drop here already. Pay it or call it off first:`;
      case 'none':
        return line`You have no drop here whose list waits for you.`;
      case 'not_listed':
        return line`That name is not on your list:`;
      case 'empty':
        return line`Nobody is left on the list. Call it off, or leave it: nothing is paid.`;
      case 'changed':
        return line`The list has changed meanwhile. Look at it again:`;
      case 'too_little':
        return line`You have too little for that. Add money, then press again:`;
      case 'not_decider':
        return line`That is for those who moderate here.`;
      case 'standing_unknown':
        return line`I can’t find out who runs this community, so I did nothing. I have to be a member here. Try again in a minute.`;
      case 'small_group':
        return line`This group has no treasury yet: show the chat history to new members in the group’s settings first.`;
      case 'own':
        return line`You asked for this drop yourself, so somebody else who moderates has to confirm it. Where nobody else does, you can confirm a small one ${OWN_WAIT_MINUTES} minutes after it has closed.`;
      case 'has_share':
        return line`You have a share in this one, so others who moderate confirm it.`;
      case 'treasury_short':
        return line`The treasury has too little for that. Anyone can pay in:`;
    }
  },
};
