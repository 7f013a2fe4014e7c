import type { TakeBackTexts } from './en.ts';

export const takeBackEs: TakeBackTexts = {
  link: 'Lo envié yo: cancelar el envío',
  title: 'Recuperarlo',
  lead: 'Mientras nadie lo haya recogido, quien lo envió puede recuperarlo. Vuelve al lugar de donde vino, y a ningún otro.',
  notByLink: 'Esta página sola no mueve nada: hace falta el lugar desde el que se envió el dinero.',
  chatTitle: 'Enviado desde un chat',
  chatNote: (button) => `Pulsa «${button}» debajo de tu propina en ese chat.`,
  purseTitle: 'Enviado con dinero guardado aquí',
  purseNote: 'Abre tu dinero y, allí, el pago.',
  seeMoney: 'Ver mi dinero',
  walletTitle: 'Pagado con una billetera propia',
  walletNote: 'Firma con la billetera que pagó. No cuesta nada.',
  noWallet:
    'En este navegador no hay ninguna billetera. Abre esta página en la app de tu billetera o en un navegador que tenga una.',
  needsScript: 'Solo se puede preguntar a una billetera con JavaScript activado.',
  withWallet: (wallet) => `Recuperarlo con ${wallet}`,
  asks: 'Tu billetera te pregunta ahora.',
  refused: 'Tu billetera no firmó, así que nada ha cambiado.',
  otherChain: 'Tu billetera no pudo cambiar a la red correcta, así que nada ha cambiado.',
  notYours: 'Esta no es la billetera que pagó. Nada ha cambiado.',
  beingCollected: (minutes) =>
    `La persona para quien es está a punto de recogerlo. Si no termina, podrás recuperarlo como muy tarde en ${minutes} minutos.`,
  failed:
    'No ha funcionado, y todavía nadie puede decir si se recuperó. Mira el pago y vuelve a intentarlo si sigue esperando.',
  over: 'Ya no se puede recuperar.',
  toLetter: 'Ver el pago',
};
