import type { MessageEntity, Update, User } from 'grammy/types';
import type { FakeTelegram } from '../../../fakes/telegram/start.ts';
import { countKinds, kindOfPress, type Kind, type Member, type Screen } from './screen.ts';

export function createTelegramScreen(telegram: FakeTelegram, index: number): Screen {
  const create = (name: string) =>
    telegram.createUser({ firstName: `${name}${index}`, languageCode: 'en', started: true });
  const people: Record<Member, User> = {
    giver: create('Giver'),
    first: create('First'),
    second: create('Second'),
    loud: create('Loud'),
  };
  const group = telegram.createGroup({ members: Object.values(people), bot: 'administrator' });
  const done: { kind: Kind; update: Update }[] = [];
  const note = (kind: Kind, update: Update | null) => {
    if (update === null) throw new Error('the bot does not see this');
    done.push({ kind, update });
  };
  const shownTo = (member: Member) => [group, people[member]].flatMap((chat) => telegram.fromBot(people[member], chat));

  /** How clients write a person without a username. */
  function mention(text: string, members: readonly Member[]): MessageEntity[] {
    return members.map((member) => {
      const user = people[member];
      return { type: 'text_mention', offset: text.indexOf(user.first_name), length: user.first_name.length, user };
    });
  }

  return {
    transport: 'telegram',
    communityId: String(group.id),
    userId: (member) => `telegram:${people[member].id}`,
    async drop(sum) {
      note('drop', telegram.say(people.giver, group, `/drop ${sum} 2 people 6h`).update);
    },
    async bill(sum) {
      const text = `/request ${people.giver.first_name} ${people.second.first_name} ${sum} split pizza`;
      const entities = mention(text, ['giver', 'second']);
      note('bill', telegram.say(people.first, group, text, { entities }).update);
    },
    async tip(sum) {
      const text = `/tip ${people.second.first_name} ${sum}`;
      note('block', telegram.say(people.loud, group, text, { entities: mention(text, ['second']) }).update);
    },
    async top(member, choice) {
      note('top', telegram.say(people[member], group, `/top ${choice}`.trim()).update);
    },
    async press(member, label, wanted = /^/) {
      for (const { message, buttons, text } of shownTo(member)) {
        if (!wanted.test(text)) continue;
        const found = buttons.flat().find((button) => label.test(button));
        if (found === undefined) continue;
        for (const _ of [1, 2]) note(kindOfPress(found), telegram.press(people[member], message, found).update);
        return;
      }
    },
    sees: (member) => shownTo(member).map(({ text }) => text),
    async deliverAgain() {
      for (const { update } of done) telegram.redeliver(update);
      return countKinds(done.map(({ kind }) => kind));
    },
  };
}
