import type { TipPageTexts } from './en.ts';

export const tipPageEs: TipPageTexts = {
  title: 'Enviar a un nombre',
  lead: 'A cualquiera, por el nombre que ya tiene. Lo recibe al demostrar que el nombre es suyo.',
  ownTitle: (person) => `Enviar algo a ${person}`,
  shownBecause: (person) => `${person} demostró que este nombre es suyo y puso aquí esta página.`,
  platform: '¿En qué servicio está?',
  name: 'Su nombre allí',
  amount: 'Importe en dólares',
  otherAmount: 'Otro',
  note: 'Un mensaje, si quieres',
  next: 'Seguir',
  nextNote: 'Todavía no se envía nada: primero ves el precio y lo aceptas. Sale del dinero que guardas aquí.',
  badge: 'Envíame algo',

  section: 'Tu página',
  sectionNote: (days) =>
    `Cualquiera puede abrirla y enviarte algo. Muestra tu nombre y las palabras de abajo. Termina a los ${days} días, si no la vuelves a activar.`,
  words: 'Unas palabras, si quieres',
  wordsHint: (charactersMax) => `Como mucho ${charactersMax} caracteres y sin enlaces.`,
  switchOn: 'Activarla',
  save: 'Guardar',
  switchOff: 'Desactivarla',
  open: 'Abrir tu página',
  until: 'Está ahí hasta el {time}.',
  embed: 'Para un perfil o un README:',
  copy: 'Copiar',
  hasLink: 'Contiene un enlace o una dirección. Escríbelo sin eso.',
  tooLong: (charactersMax) => `Son más de ${charactersMax} caracteres. Acórtalo, por favor.`,
  barred: 'Quienes llevan este servicio han retirado tu página.',
};
