import { expect, test } from 'vitest';
import { tellingUrl } from '../../../core/rewards/telling.ts';

const page = `https://pay.example.com/rewards/${'d'.repeat(22)}`;
const postUrl = 'https://farcaster.xyz/marta/0xb87cf233';
const textOf = (called: string) => `${called} thank you & more?`;
const partsOf = (url: string | null) => {
  const { origin, pathname, searchParams } = new URL(url ?? '');
  return { at: origin + pathname, text: searchParams.get('text'), embeds: searchParams.getAll('embeds[]') };
};

test('opens a post that calls those rewarded, beside the page and the post that it is for', () => {
  expect(partsOf(tellingUrl({ names: ['bob', 'carla.eth'], page, postUrl, textOf }))).toEqual({
    at: 'https://farcaster.xyz/~/compose',
    text: '@bob @carla.eth thank you & more?',
    embeds: [page, postUrl],
  });
  expect(partsOf(tellingUrl({ names: ['bob'], page, postUrl: null, textOf })).embeds).toEqual([page]);
});

test('calls at most ten, the first ones, and no more than an address on a button can hold', () => {
  const short = Array.from({ length: 12 }, (_, index) => `p${index}`);
  expect(partsOf(tellingUrl({ names: short, page, postUrl, textOf })).text).toBe(
    textOf(
      short
        .slice(0, 10)
        .map((name) => `@${name}`)
        .join(' '),
    ),
  );
  const long = Array.from({ length: 10 }, (_, index) => `${String(index)}${'n'.repeat(14)}.base.eth`);
  const url = tellingUrl({ names: long, page, postUrl, textOf });
  expect(url?.length).toBeLessThanOrEqual(512);
  expect(partsOf(url).text).toContain(`@${long[0]} @${long[1]}`);
});

test('calls nobody whose name a client would not read as one, and opens nothing for nobody', () => {
  const strange = ['', 'has space', 'a/b', '@everyone', '<b>', 'ALLCAPS'];
  expect(partsOf(tellingUrl({ names: [...strange, 'bob'], page, postUrl, textOf })).text).toBe(
    '@bob thank you & more?',
  );
  expect(tellingUrl({ names: strange, page, postUrl, textOf })).toBeNull();
});
