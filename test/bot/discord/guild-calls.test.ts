import type { REST } from 'discord.js';
import { expect, test } from 'vitest';
import { createGuildCalls } from '../../../bot/discord/guild-calls.ts';

test('callers who ask Discord the same while it waits share one question; the next one is asked again', async () => {
  const asked: string[] = [];
  const waiting: ((answer: unknown) => void)[] = [];
  const get = (path: string) => {
    asked.push(path);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const calls = createGuildCalls({ get } as unknown as REST);
  const answers = [calls.readMember('1', '7'), calls.readMember('1', '7'), calls.readMember('1', '8')];
  const guilds = [calls.readGuild('1'), calls.readGuild('1')];
  expect(asked).toEqual(['/guilds/1/members/7', '/guilds/1/members/8', '/guilds/1']);
  for (const [index, answer] of [{ roles: ['a'] }, { roles: [] }, { id: '1', owner_id: '2', roles: [] }].entries())
    waiting[index]?.(answer);
  expect(await Promise.all(answers)).toEqual([{ roles: ['a'] }, { roles: ['a'] }, { roles: [] }]);
  expect((await Promise.all(guilds)).map(({ owner_id }) => owner_id)).toEqual(['2', '2']);
  void calls.readMember('1', '7');
  expect(asked).toHaveLength(4);
});
