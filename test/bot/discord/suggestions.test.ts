import { expect, test } from 'vitest';
import { openPlace, untilEnd, type Place } from './discord-harness.ts';

async function suggestions({ discord, alice, channel }: Place, typed: string, person = alice): Promise<string[]> {
  const typing = await discord.answered(discord.autocomplete(person, channel, 'tip', { to: typed }, 'to'));
  return (typing.choices ?? []).map(({ value }) => String(value));
}

test('what is typed is completed by those who were paid before, and by each network that has such names', async () => {
  const place = await openPlace();
  const { discord, channel, alice, bob } = place;
  expect(await suggestions(place, '')).toEqual(['x:', 'farcaster:', 'github:', 'instagram:', 'telegram:']);
  for (const to of ['x:carol', 'github:caro', 'x:dave']) {
    await untilEnd(discord, discord.slash(alice, channel, 'tip', { to, amount: '1' }));
  }
  await untilEnd(discord, discord.slash(alice, channel, 'tip', { user: bob, amount: '1' }));
  expect((await suggestions(place, '')).slice(0, 3).toSorted()).toEqual(['github:caro', 'x:carol', 'x:dave']);
  expect((await suggestions(place, 'caro')).toSorted()).toEqual(
    ['farcaster:caro', 'github:caro', 'instagram:caro', 'telegram:caro', 'x:caro', 'x:carol'].toSorted(),
  );
  expect(await suggestions(place, 'x:dave d@e.com')).toEqual(['x:dave d@e.com']);
  expect(await suggestions(place, 'x:da')).toEqual(['x:dave', 'x:da']);
  // What others have sent is nobody's business.
  expect(await suggestions(place, 'carol', bob)).not.toContain('x:dave');
  expect(await suggestions(place, 'da', bob)).not.toContain('x:dave');
  expect(discord.refusals()).toEqual([]);
});

test('what cannot be a name, and what is too long to be sent back, brings nothing', async () => {
  const place = await openPlace();
  expect(await suggestions(place, '???')).toEqual([]);
  expect(await suggestions(place, `x:${'a'.repeat(200)}`)).toEqual([]);
});
