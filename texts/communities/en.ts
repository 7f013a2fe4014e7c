import type { ReceiptStyle } from '../../core/communities/community-settings.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { RuleProblem, SettingFact, SettingsProblem } from './facts.ts';
import { KNOWN_ANSWERS, KNOWN_DAYS, PLACES_MAX, SMALL_REWARD } from '../rules/rules.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const listed = (names: readonly string[], more: number): Span =>
  strong(more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`);

const RECEIPTS: Record<ReceiptStyle, Paragraph> = {
  message: line`Receipts: a ${strong('message')} for each tip`,
  reaction: line`Receipts: a ${strong('reaction')} to the tip`,
  none: line`Receipts: ${strong('none')} in public`,
};

/** What moderators of a community set, and what people hear who come up against it. */
export const settingsEn = {
  settingsTitle: (): Paragraph => line`What holds for tips here, and how you change it:`,
  settingsChanged: (): Paragraph => line`Done. From now on:`,
  settingsElsewhere: (): Paragraph =>
    line`Type ${code('/settings')} in the server or group that it is for. Here we are alone.`,
  settingsForModerators: (): Paragraph => line`Only those who moderate here can do that.`,

  setting: (fact: SettingFact): Paragraph => {
    switch (fact.setting) {
      case 'channels':
        if (fact.names.length === 0) return line`Tips: ${strong('everywhere')} here`;
        return line`Tips: only in ${listed(fact.names, fact.more)}`;
      case 'min':
        return fact.amount === null ? line`At least: ${strong('any amount')}` : line`At least: ${usdc(fact.amount)}`;
      case 'max':
        return fact.amount === null ? line`At most: ${strong('any amount')}` : line`At most: ${usdc(fact.amount)}`;
      case 'cooldown':
        if (fact.time === null) return line`Between two tips of one person: ${strong('no wait')}`;
        return line`Between two tips of one person: ${strong(fact.time)}`;
      case 'receipts':
        return RECEIPTS[fact.style];
      case 'notes':
        return fact.isOn ? line`Notes: ${strong('allowed')}` : line`Notes: ${strong('not allowed')}`;
      case 'language':
        return fact.name === null
          ? line`What I say to all here: in ${strong('the language of the member who writes to me')}`
          : line`What I say to all here: in ${strong(fact.name)}`;
      case 'lifetime':
        if (fact.time === null) return line`My messages: ${strong('stay')}`;
        return line`My messages: deleted after ${strong(fact.time)}`;
      case 'log':
        return fact.name === null ? line`Log of tips: ${strong('none')}` : line`Log of tips: ${strong(fact.name)}`;
      case 'role':
        if (!fact.hasRoles) return line`Rewards are confirmed by the administrators of this group.`;
        if (fact.name === null) return line`Rewards are confirmed by: ${strong('moderators')}`;
        return line`Rewards are confirmed by: moderators and ${strong(fact.name)}`;
      case 'drops':
        if (!fact.hasRoles)
          return line`Drops are for members who have been here for ${KNOWN_DAYS} days, with ${KNOWN_ANSWERS} answered messages.`;
        return fact.name === null
          ? line`Drops are for: ${strong('nobody yet')}`
          : line`Drops are for: ${strong(fact.name)}`;
      case 'quorum':
        return line`Rewards above ${SMALL_REWARD} USDC are confirmed by: ${strong(String(fact.count))}`;
      case 'ban':
        return line`Banned from tipping: ${strong(String(fact.count))}`;
    }
  },

  settingsProblem: (problem: SettingsProblem): Paragraph => {
    switch (problem.code) {
      case 'min_above_max':
        return line`Then a tip would be at least ${usdc(problem.min)} and at most ${usdc(problem.max)}, and nobody could tip:`;
      case 'everywhere_already':
        return line`Tips are allowed everywhere here. To keep them to some places, type this in each of those:`;
      case 'too_many_channels':
        return line`That would be more than ${strong(PLACES_MAX)} places.`;
      case 'role_of_all':
        return line`Everybody has that role, and whoever has it could spend the rewards. Choose another one:`;
      case 'drops_for_all':
        return line`Everybody has that role, and newcomers would take the shares. Choose one that people earn:`;
      case 'not_owner':
        return line`Only the owner of this server can say who confirms rewards, and how many.`;
    }
  },
  banned: (name: string): Paragraph =>
    line`${strong(name)} can’t tip here any more, and has not been told. Their money stays theirs.`,
  unbanned: (name: string): Paragraph => line`${strong(name)} can tip here again.`,
  wasNotBanned: (name: string): Paragraph => line`${strong(name)} was not banned here.`,
  noSelfBan: (): Paragraph => line`That is you. Mention somebody else:`,

  /** `wait`: such as `30s`, where it is too soon. */
  ruleProblem: (problem: RuleProblem, wait: string): Paragraph => {
    switch (problem.code) {
      case 'banned':
        return line`The moderators here don’t let you tip. Your money is yours as before: ${code('/balance')}, ${code('/withdraw')}.`;
      case 'other_channel':
        return line`Tips are not for this place. Here they belong in ${listed(problem.names, problem.more)}.`;
      case 'no_notes':
        return line`Tips go without a note here:`;
      case 'below_min':
        return line`Here a tip is at least ${usdc(problem.limit)} for each person:`;
      case 'above_max':
        return line`Here a tip is at most ${usdc(problem.limit)} for each person:`;
      case 'too_soon':
        return line`Here some time passes between two tips. You can send your next one in ${strong(wait)}.`;
    }
  },
};
