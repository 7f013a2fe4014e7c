import type { TipPageTexts } from './en.ts';

export const tipPagePt: TipPageTexts = {
  title: 'Enviar a um nome',
  lead: 'Para qualquer pessoa, pelo nome que ela já tem. Ela recebe ao mostrar que o nome é dela.',
  ownTitle: (person) => `Enviar algo para ${person}`,
  shownBecause: (person) => `${person} mostrou que este nome é seu e colocou esta página aqui.`,
  platform: 'Em que serviço a pessoa está?',
  name: 'O nome dela lá',
  amount: 'Valor em dólares',
  otherAmount: 'Outro',
  note: 'Uma mensagem, se quiser',
  next: 'Continuar',
  nextNote: 'Nada é enviado ainda: primeiro você vê o preço e concorda com ele. Sai do dinheiro que você guarda aqui.',
  badge: 'Envie algo para mim',

  section: 'Sua página',
  sectionNote: (days) =>
    `Qualquer pessoa pode abri-la e enviar algo para você. Ela mostra seu nome e as palavras abaixo. Termina depois de ${days} dias, se você não a ligar de novo.`,
  words: 'Algumas palavras, se quiser',
  wordsHint: (charactersMax) => `No máximo ${charactersMax} caracteres e sem links.`,
  switchOn: 'Ligar',
  save: 'Salvar',
  switchOff: 'Desligar',
  open: 'Abrir sua página',
  until: 'Ela fica lá até {time}.',
  embed: 'Para um perfil ou um README:',
  copy: 'Copiar',
  hasLink: 'Há um link ou um endereço no texto. Escreva sem isso.',
  tooLong: (charactersMax) => `São mais de ${charactersMax} caracteres. Encurte, por favor.`,
  barred: 'Quem mantém este serviço retirou a sua página.',
};
