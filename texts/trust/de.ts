import { receiptPageDe } from '../receipt-page/de.ts';
import type { TrustTexts } from './en.ts';

export const trustDe: TrustTexts = {
  links: { real: 'Ist das echt?', help: 'Hilfe', terms: 'Bedingungen', privacy: 'Datenschutz', status: 'Betrieb' },
  askOperator: 'Den Betreiber fragen',
  seeMoney: 'Mein Geld ansehen',
  howToTell: 'So prüfst du es',
  seeStatus: 'Sehen, was gerade funktioniert',

  realLead: ({ operator }) =>
    `Diesen Dienst betreibt ${operator}. Damit sendet man Geld an jemanden, von dem man nur einen Namen kennt, etwa auf X oder eine E-Mail-Adresse. Hat dich eine Nachricht hierher geführt? So prüfst du es.`,
  real: ({ operator, origin, waits }) => [
    {
      heading: 'Sieh dir die Adresse an',
      paragraphs: [
        `Oben in deinem Browser beginnt sie mit ${origin}/ und davor steht nichts. Ein Buchstabe mehr oder eine andere Endung, und es ist jemand anderes.`,
        'Unsicher bei einem Link? Tippe ihn nicht an, sondern gib die Adresse selbst ein.',
      ],
    },
    {
      heading: 'Worum du gebeten wirst',
      paragraphs: [
        'Zum Abholen zeigst du, dass der Name dir gehört. Du meldest dich dort an, wo du ihn hast, auf der Seite jenes Dienstes und nie auf unserer, oder du gibst einen Code ein, den wir dir mailen.',
        'Niemand hier fragt je nach einem Passwort, nach geheimen Wörtern, nach einer Karte oder zuerst nach Geld. Wer das tut, gehört nicht zu uns.',
        'Das Abholen kostet nichts.',
      ],
    },
    {
      heading: 'Wer das Geld jetzt hat',
      paragraphs: [
        `Bis du es abholst, hält ${operator} es für dich, in digitalen Dollar (USDC). Es wartet ${waits}; dann geht es an den Absender zurück.`,
        'Was du hier aufbewahrst, wird genauso für dich gehalten. Das ist kein Bankkonto und nicht versichert.',
      ],
    },
    {
      heading: 'Wenn dir etwas komisch vorkommt',
      paragraphs: [
        'Tu nichts: Was du nicht abholst, geht von selbst zurück.',
        'Auf der Seite jeder Zahlung kannst du sie melden. Der Absender erfährt nichts davon.',
      ],
    },
  ],

  helpLead: 'Was die meisten fragen.',
  help: () => [
    {
      heading: 'Jemand hat mir Geld gesendet',
      paragraphs: [
        'Öffne den Link, den du bekommen hast. Sag, wohin das Geld soll, und zeig, dass der Name dir gehört.',
      ],
    },
    {
      heading: 'Ich habe es hier aufbewahrt. Wo ist es?',
      paragraphs: ['Melde dich mit demselben Namen bei deinem Geld an. Das geht in jedem Browser.'],
    },
    {
      heading: 'Wie kommt es auf mein Bankkonto?',
      paragraphs: [
        'Eröffne ein Konto bei einer Börse oder in einer App, die USDC annimmt, und zahle das Geld an die Adresse aus, die sie dir zeigt. Lies vorher, was die Seite zu dieser Adresse sagt: Bei einer falschen kann das Geld verloren gehen. Dort verkaufst du es und lässt dir Euro oder Dollar auf dein Bankkonto auszahlen. Nach deinem Bankkonto fragen wir nie.',
      ],
    },
    {
      heading: 'Da steht, dass nichts wartet',
      paragraphs: [
        'Vielleicht gehört es dir schon, vielleicht ging es zurück, oder es war für einen anderen Namen. Bitte den Absender um den Link der Zahlung: Ihre Seite sagt, was daraus wurde.',
      ],
    },
    {
      heading: 'Ich habe es an den falschen Namen gesendet',
      paragraphs: [
        `Solange es niemand abgeholt hat, kannst du es zurücknehmen: Auf der Seite der Zahlung ist unter „${receiptPageDe.forSender}“ ein Link dafür.`,
      ],
    },
    {
      heading: 'Ich will solches Geld nicht',
      paragraphs: [
        'Sag es dort, wo du es abholen würdest: Es geht sofort zurück, und wenn du willst, wird für deinen Namen nie wieder etwas angenommen.',
      ],
    },
    {
      heading: 'Mit einer Zahlung oder Nachricht stimmt etwas nicht',
      paragraphs: ['Melde sie auf ihrer Seite.'],
    },
  ],

  termsLead: ({ operator }) =>
    `Diesen Dienst betreibt ${operator}, ohne eigene Bedingungen veröffentlicht zu haben. Das tut der Dienst.`,
  terms: ({ waits, keptAtMost }) => [
    {
      heading: 'Wozu er da ist',
      paragraphs: [
        'Er nimmt Geld von einem Absender für eine Person mit einem Namen, hält es, bis sie zeigt, dass der Name ihr gehört, und gibt es weiter.',
      ],
    },
    {
      heading: 'Was er kostet',
      paragraphs: ['Der Preis mit jeder Gebühr steht da, bevor etwas bezahlt wird. Das Abholen kostet nichts.'],
    },
    {
      heading: 'Wann Geld zurückgeht',
      paragraphs: [
        `Was niemand abholt, wartet ${waits} und geht dann an den Absender zurück. Ebenso, was abgelehnt oder vor dem Abholen zurückgenommen wird.`,
        'Eine Gebühr geht mit zurück, bis auf das, was die Annahme der Zahlung gekostet hat.',
      ],
    },
    {
      heading: 'Was hier aufbewahrt wird',
      paragraphs: [
        'Es gehört der Person, die gezeigt hat, dass der Name ihr gehört. Es bringt keine Zinsen, ist kein Bankkonto und nicht versichert.',
        ...(keptAtMost === null ? [] : [`Für einen Namen können höchstens ${keptAtMost} aufbewahrt werden.`]),
      ],
    },
    {
      heading: 'Was abgelehnt wird',
      paragraphs: [
        'Zahlungen, die das Gesetz verbietet, die ihr Empfänger nicht will oder die über die Grenzen dieses Dienstes gehen.',
      ],
    },
    {
      heading: 'Was niemand versprechen kann',
      paragraphs: [
        'Der Dienst arbeitet mit öffentlichen Systemen, die andere betreiben. Sie können ausfallen, und er auch. Die Seite jeder Zahlung sagt, wo ihr Geld ist.',
      ],
    },
  ],

  privacyLead: ({ operator }) => `Diesen Dienst betreibt ${operator}. Das weiß er von dir.`,
  privacy: ({ reportDays }) => [
    {
      heading: 'Was gespeichert wird',
      paragraphs: [
        'Von einer Zahlung: für wen sie ist, wie viel, ihre Nachricht, von welchem Konto sie kam, und wann.',
        'Von einer Person, die abholt: der Name, von dem sie gezeigt hat, dass er ihr gehört, und wohin das Geld ging.',
        'Von einem Chat: wer wem wie viel gesendet hat, damit man es ihnen zeigen kann.',
      ],
    },
    {
      heading: 'Wer es sehen kann',
      paragraphs: [
        'Wer den Link einer Zahlung hat, sieht ihre Summe, ihre Nachricht und den Namen, für den sie ist. Eine E-Mail-Adresse steht dort verkürzt.',
        'Die Überweisungen selbst sind öffentlich und lassen sich nicht löschen. Kein Name steht darin.',
      ],
    },
    {
      heading: 'Cookies',
      paragraphs: [
        'Einer merkt sich den Browser, in dem du Geld abholst oder aufbewahrst, einer deine Sprache. Keiner verfolgt dich, und unsere Seiten laden nichts von anderen.',
      ],
    },
    {
      heading: 'Gegen Überlastung und Betrug',
      paragraphs: [
        'Die Adresse deiner Verbindung wird eine Weile gezählt, damit niemand zu viel fragen kann. Bei Zahlungen wird sie nicht gespeichert.',
        `Eine Meldung wird ${reportDays} Tage nach ihrem Abschluss gelöscht.`,
      ],
    },
    {
      heading: 'Was du tun kannst',
      paragraphs: [
        'In einem Chat zeigt /privacy, was von dir bekannt ist, und löscht es. Wo du Geld abholen würdest, kannst du deinen Namen für immer sperren lassen.',
        'Mit allem anderen wende dich an den Betreiber.',
      ],
    },
  ],

  statusLead: {
    all: 'Alles funktioniert.',
    some: 'Einiges funktioniert gerade nicht.',
    none: 'Gerade werden keine Zahlungen angenommen.',
    unknown: 'Gerade lässt sich nicht sagen, was funktioniert.',
  },
  place: {
    works: 'Zahlungen werden angenommen und weitergegeben.',
    waits: 'Zahlungen werden angenommen. Das Weitergeben muss warten.',
    out: 'Gerade keine neuen Zahlungen.',
  },
  owedIsThere: (time) => `Alles, was Menschen zusteht, ist da. Verglichen: ${time}.`,
  owedUnknown: 'Gerade lässt sich nicht zeigen, dass alles da ist, was Menschen zusteht.',
  looked: (time) => `Nachgesehen: ${time}.`,
};
