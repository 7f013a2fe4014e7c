import type { PageFrame } from './en.ts';

export const pageFrameEs: PageFrame = {
  skip: 'Ir al contenido',
  playMoney: 'Dinero de prueba: aquí nada es real',
  testMoney: 'Dinero de una red de pruebas: no tiene valor',
  operatedBy: 'Este servicio lo opera',
  getHelp: '¿Algo va mal? Pide ayuda',
  askThem: '¿Algo va mal? Pídeles ayuda.',
  askYourself: '¿Algo va mal? Esta instalación es local: la ayuda está en la terminal donde la iniciaste.',
  print: 'Imprimir',
  language: 'Idioma',
  script: {
    copied: 'Copiado',
    notCopied: 'No se copió',
    copyFailed: 'No se pudo copiar: selecciona el texto y cópialo tú',
    following: 'Esta página se actualiza sola.',
    interrupted: 'Sin conexión en este momento; se vuelve a intentar automáticamente.',
  },
};
