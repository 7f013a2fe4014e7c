/** The page on which a payer takes back what nobody has collected. Only the part about an own wallet speaks of wallets. */
export const takeBackEn = {
  /** The link on the letter, which its recipient reads too. */
  link: 'I sent this: take it back',
  title: 'Take it back',
  lead: 'As long as nobody has collected it, the person who sent it can take it back. It goes back to where it came from, and nowhere else.',
  /** The link of the letter alone is not enough for that. */
  notByLink: 'This page alone moves nothing: it takes the place that the money was sent from.',
  chatTitle: 'Sent from a chat',
  chatNote: (button: string): string => `Press “${button}” under your tip in that chat.`,
  purseTitle: 'Sent from money kept here',
  purseNote: 'Open your money, and there the payment.',
  seeMoney: 'See my money',
  walletTitle: 'Paid with a wallet of your own',
  walletNote: 'Sign with the wallet that paid. It costs nothing.',
  noWallet:
    'There is no wallet in this browser. Open this page in the app of your wallet, or in a browser that has one.',
  needsScript: 'Wallets can be asked only where JavaScript is switched on.',
  withWallet: (wallet: string): string => `Take it back with ${wallet}`,
  asks: 'Your wallet asks you now.',
  refused: 'Your wallet did not sign, so nothing has changed.',
  otherChain: 'Your wallet could not switch to the right network, so nothing has changed.',
  notYours: 'This is not the wallet that paid. Nothing has changed.',
  beingCollected: (minutes: number): string =>
    `The person it is for is about to collect it. If they do not finish, you can take it back after ${minutes} minutes at the latest.`,
  failed:
    'That did not work, and nobody can say yet whether it was taken back. Look at the payment, and try again if it still waits.',
  over: 'It can no longer be taken back.',
  toLetter: 'See the payment',
};

export type TakeBackTexts = typeof takeBackEn;
