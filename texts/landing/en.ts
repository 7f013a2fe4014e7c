/** The start page: for people first, and for programs last. */
export const landingEn = {
  title: 'Send USDC to anyone',
  heading: 'Send money to anyone by the name they already go by.',
  /** One example, said as it goes. */
  example: (sum: string, name: string): string =>
    `For example ${sum} to ${name}: you pass on a link, they show that it is their name, and the money is theirs. It travels as USDC, a digital dollar.`,
  sendTitle: 'Send money',
  sendFrom:
    'From what you keep here, to anyone with a name. You see the price first, and take it back as long as nobody has collected it.',
  sendOpen: 'Send to a name',
  chatTitle: 'In a chat',
  chatType: (command: string): string => `Type ${command} and watch it arrive.`,
  chatOpen: 'Open the chat',
  collectTitle: 'Did somebody send you money?',
  collectLink: 'Open the link that you were sent: that is where you collect it, at no cost.',
  collectWaits: (duration: string): string => `Money waits ${duration}, then it goes back to its sender.`,
  seeMoney: 'See your money',
  realTitle: 'Is this real?',
  realProof:
    'Only the person who shows that the name is theirs gets the money. We never ask for a card, a password or secret words.',
  realReceipt:
    'Every payment has a page of its own that follows it to its end. Send its link to the person whom the money is for.',
  apiTitle: 'For programs',
  apiAsk: (code: string): string => `Ask, and the answer is ${code} with the price. Try it; this costs nothing:`,
  apiCopy: 'Copy the command',
  apiCopied: 'Command copied',
  apiDocs: 'Read the documentation',
  apiSigns: (client: string, code: string): string =>
    `An x402 client, such as ${client}, signs the price and asks again. The ${code} then names the receipt.`,
  apiPayers: (file: string): string => `Funded payers to try with are in ${file} of the data directory.`,
};

export type LandingTexts = typeof landingEn;
