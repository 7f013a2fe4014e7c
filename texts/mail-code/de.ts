import type { MailCodeTexts } from './en.ts';

export const mailCodeDe: MailCodeTexts = {
  collect: {
    subject: 'Dein Code für pennypost',
    lead: (to) =>
      `Jemand möchte das Geld abholen, das an ${to} gesendet wird. Möchtest du es, dann öffne diese Seite in einem beliebigen Browser. Dort bestimmst du, wohin es geht:`,
    button: 'Geld abholen',
    typeCode: 'Oder gib diesen Code auf der Seite ein, auf der du danach gefragt hast:',
    confirms: 'Mit diesem Code bestätigst du, wohin das Geld geht:',
    otherwise: (minutes) =>
      `Willst du es dort nicht haben, dann verwende den Code nicht. Er gilt ${minutes} Minuten, in dem Fenster, in dem du danach gefragt hast.`,
    ignore:
      'Niemand wird dich je nach diesem Code fragen, weder am Telefon noch in einem Chat. Möchtest du das Geld nicht, dann lass diese Mail einfach liegen: Ohne Link und Code passiert nichts.',
  },
  signIn: {
    subject: 'Dein Code zum Anmelden',
    lead: (to) =>
      `Jemand möchte sich bei dem Geld anmelden, das für ${to} aufbewahrt wird. Bist du das, dann öffne diese Seite in einem beliebigen Browser:`,
    button: 'Anmelden',
    typeCode:
      'Oder gib diesen Code auf der Seite ein, auf der du danach gefragt hast. Er zeigt, was aufbewahrt wird, und bewegt nichts:',
    worksFor: (minutes) =>
      `Der Code gilt ${minutes} Minuten, in dem Fenster, in dem du danach gefragt hast. Niemand wird dich je danach fragen, weder am Telefon noch in einem Chat.`,
    ignore: 'Bist du es nicht, dann lass diese Mail einfach liegen: Ohne Link und Code passiert nichts.',
  },
  linkWorksFor: (minutes) =>
    `Der Link gilt ${minutes} Minuten, egal wer nach dieser Mail gefragt hat. Gib ihn nicht weiter.`,
  goesBack: 'zurück an den Absender, weil du es nicht möchtest',
  staysHere: 'bleibt hier für dich',
  onNetwork: (address, place) => `${address} (auf ${place})`,
  operatedBy: (baseUrl, operator) => `pennypost unter ${baseUrl} wird betrieben von ${operator}.`,
  help: (url) => `Hilfe: ${url}`,
};
