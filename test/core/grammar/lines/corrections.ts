/** Where a line's own meaning is wrong, or its comment allows another one: what counts beside it, and why. */
export const CORRECTIONS: Readonly<Record<number, { also: readonly string[]; why: string }>> = {
  247: {
    also: ['decsocial:bananinha.eth 5'],
    why: 'decided by the table of platforms: a bare ENS name is one on Farcaster, whose holder has proven it there; wallets take no tips',
  },
  699: {
    also: ['decsocial:taro.eth 5'],
    why: 'as in 247: a bare ENS name is one on Farcaster, by the table of platforms',
  },
  144: {
    also: ['asks telegram:gaucho_rs 5 "tchê"'],
    why: 'its own comment: keeping the interjection as the note is fine',
  },
  780: {
    also: ['asks who'],
    why: 'it names a band and no person: who is open as well, and the question says both',
  },
  369: {
    also: ['asks how much'],
    why: 'its own comment: it may be reais or dollars, so it is asked how many USDC that is',
  },
};
