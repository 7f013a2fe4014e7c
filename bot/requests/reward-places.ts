/**
 * The API reads a post for up to half a minute, and does not limit the bot. Anyone can ask in a community of their own,
 * and meanwhile holds one of the few places in which Discord's commands are worked on: tips need the others.
 */
const AT_ONCE_MAX = 8;
const FOR_ONE_TREASURY_MAX = 2;

export type RewardPlaces = {
  /** Null where there is no place. Nobody waits for one, because that would hold up others as well. */
  use: <T>(walletId: string, work: () => Promise<T>) => Promise<T | null>;
};

/** Lets this many posts be read at a time, and a few of them for each treasury. */
export function createRewardPlaces(): RewardPlaces {
  const busy: string[] = [];
  return {
    async use(walletId, work) {
      const forThisOne = busy.filter((one) => one === walletId).length;
      if (busy.length >= AT_ONCE_MAX || forThisOne >= FOR_ONE_TREASURY_MAX) return null;
      busy.push(walletId);
      try {
        return await work();
      } finally {
        busy.splice(busy.indexOf(walletId), 1);
      }
    },
  };
}
