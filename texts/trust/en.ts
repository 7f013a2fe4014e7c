import { receiptPageEn } from '../receipt-page/en.ts';

/** One heading with what stands below it. */
export type Section = { heading: string; paragraphs: readonly string[] };

/**
 * What the pages need to know. `origin`: how every address of ours begins. `waits`: how long money waits, in words.
 * `keptAtMost`: null where no limit is set. `reportDays`: how long a closed report is kept.
 */
export type TrustFacts = {
  operator: string;
  origin: string;
  waits: string;
  keptAtMost: string | null;
  reportDays: number;
};

/** Pages for people who have never heard of this: whether it is real, help, terms, privacy, and what works now. */
export const trustEn = {
  links: { real: 'Is this real?', help: 'Help', terms: 'Terms', privacy: 'Privacy', status: 'Status' },
  askOperator: 'Ask those who run it',
  seeMoney: 'See my money',
  howToTell: 'How to tell',
  seeStatus: 'See what works now',

  realLead: ({ operator }: TrustFacts): string =>
    `This service is run by ${operator}. With it people send money to someone they know by a name, such as a name on X or an e-mail address. If a message brought you here, this is how to tell.`,
  real: ({ operator, origin, waits }: TrustFacts): readonly Section[] => [
    {
      heading: 'Look at the address',
      paragraphs: [
        `At the top of your browser it begins with ${origin}/ and with nothing before that. One letter more, or another ending, and it is somebody else.`,
        'Not sure about a link? Do not tap it: type the address yourself.',
      ],
    },
    {
      heading: 'What you are asked for',
      paragraphs: [
        'To collect you show that the name is yours. You sign in where you have it, on the page of that service and never on ours, or you type a code that we mail you.',
        'Nobody here ever asks for a password, for secret words, for a card, or for money first. Anyone who does is not us.',
        'Collecting costs nothing.',
      ],
    },
    {
      heading: 'Who has the money now',
      paragraphs: [
        `Until you collect it, ${operator} holds it for you, in digital dollars (USDC). It waits ${waits}; then it goes back to its sender.`,
        'What you keep here is held for you in the same way. That is no bank account, and nobody insures it.',
      ],
    },
    {
      heading: 'If something feels wrong',
      paragraphs: [
        'Do nothing: what you do not collect goes back by itself.',
        'The page of each payment has a link to report it. The sender is not told.',
      ],
    },
  ],

  helpLead: 'What people ask most.',
  help: (): readonly Section[] => [
    {
      heading: 'Somebody sent me money',
      paragraphs: ['Open the link that you were sent. Say where the money should go, and show that the name is yours.'],
    },
    {
      heading: 'I kept it here. Where is it?',
      paragraphs: ['Sign in to your money with the same name. That works in every browser.'],
    },
    {
      heading: 'How does it become money in my bank?',
      paragraphs: [
        'Open an account at an exchange, or in an app that takes USDC, and take the money out to the address that it shows you. Before you do, read what the page says about that address: at a wrong one the money may be lost. There you sell it, and have euros or dollars paid to your bank. We never ask for your bank account.',
      ],
    },
    {
      heading: 'It says that nothing is waiting',
      paragraphs: [
        'It may be yours already, it may have gone back, or it was sent to another name. Ask the sender for the link of the payment: its page says what became of it.',
      ],
    },
    {
      heading: 'I sent it to the wrong name',
      paragraphs: [
        `As long as nobody has collected it, you can take it back: the page of the payment has a link for that under “${receiptPageEn.forSender}”.`,
      ],
    },
    {
      heading: 'I want no such money',
      paragraphs: [
        'Say so where you would collect it: it goes back at once, and if you like, nothing is ever accepted for your name again.',
      ],
    },
    {
      heading: 'A payment or a message is not right',
      paragraphs: ['Report it on its page.'],
    },
  ],

  termsLead: ({ operator }: TrustFacts): string =>
    `This service is run by ${operator}, without published terms of its own. This is what it does.`,
  terms: ({ waits, keptAtMost }: TrustFacts): readonly Section[] => [
    {
      heading: 'What it is for',
      paragraphs: [
        'It takes money from a sender for a person with a name, holds it until that person shows that the name is theirs, and passes it on.',
      ],
    },
    {
      heading: 'What it costs',
      paragraphs: ['The price with every fee is shown before anything is paid. Collecting costs nothing.'],
    },
    {
      heading: 'When it goes back',
      paragraphs: [
        `What nobody collects waits ${waits} and then goes back to its sender. So does what is declined, or taken back before it is collected.`,
        'A fee goes back with it, but for what taking the payment has cost.',
      ],
    },
    {
      heading: 'What is kept here',
      paragraphs: [
        'It belongs to the person who has shown that the name is theirs. It earns nothing, it is no bank account, and nobody insures it.',
        ...(keptAtMost === null ? [] : [`At most ${keptAtMost} can be kept for a name.`]),
      ],
    },
    {
      heading: 'What is refused',
      paragraphs: [
        'Payments that the law forbids, that their recipient does not want, or that pass the limits of this service.',
      ],
    },
    {
      heading: 'What nobody can promise',
      paragraphs: [
        'The service works with public systems that others run. They can fail, and so can it. The page of each payment says where its money is.',
      ],
    },
  ],

  privacyLead: ({ operator }: TrustFacts): string =>
    `This service is run by ${operator}. This is what it knows of you.`,
  privacy: ({ reportDays }: TrustFacts): readonly Section[] => [
    {
      heading: 'What is stored',
      paragraphs: [
        'Of a payment: whom it is for, how much, its message, from which account it came, and when.',
        'Of a person who collects: the name that they have shown to be theirs, and where the money went.',
        'Of a chat: who has sent how much to whom, so that it can be shown to them.',
      ],
    },
    {
      heading: 'Who can see it',
      paragraphs: [
        'Anyone who has the link of a payment sees its sum, its message and the name that it is for. An e-mail address is shortened there.',
        'The transfers themselves are public and cannot be erased. No name stands in them.',
      ],
    },
    {
      heading: 'Cookies',
      paragraphs: [
        'One remembers the browser in which you collect or keep money, and one your language. None follows you around, and our pages load nothing from anyone else.',
      ],
    },
    {
      heading: 'Against floods and fraud',
      paragraphs: [
        'The address of your connection is counted for a while, so that nobody can ask too much. It is not stored with payments.',
        `A report is deleted ${reportDays} days after it was closed.`,
      ],
    },
    {
      heading: 'What you can do',
      paragraphs: [
        'In a chat, /privacy shows what is known of you and erases it. Where you would collect money you can have your name refused for ever.',
        'For anything else, ask those who run the service.',
      ],
    },
  ],

  statusLead: {
    all: 'Everything works.',
    some: 'Some of it does not work right now.',
    none: 'No payments are taken right now.',
    unknown: 'It cannot be said right now what works.',
  },
  place: {
    works: 'Payments are taken and passed on.',
    waits: 'Payments are taken. Passing them on has to wait.',
    out: 'No new payments right now.',
  },
  owedIsThere: (time: string): string => `All that is owed to people is there. Compared: ${time}.`,
  owedUnknown: 'It cannot be shown right now that all that is owed to people is there.',
  looked: (time: string): string => `Looked at: ${time}.`,
};

export type TrustTexts = typeof trustEn;
