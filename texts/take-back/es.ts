import type { TakeBackTexts } from './en.ts';

export const takeBackEs: TakeBackTexts = {
  link: 'Lo envié yo: cancelar el envío',
  title: 'Cancelar el envío',
  lead: 'Mientras nadie lo haya recogido, quien lo envió puede cancelar el envío. El dinero vuelve al lugar de donde salió, y a ningún otro.',
  notByLink: 'Esta página por sí sola no mueve nada: hay que hacerlo desde donde se envió el dinero.',
  chatTitle: 'Enviado desde un chat',
  chatNote: (button) => `Pulsa «${button}» debajo de tu propina en ese chat.`,
  purseTitle: 'Enviado con el dinero que guardas aquí',
  purseNote: 'Abre tu dinero y, dentro, ese pago.',
  seeMoney: 'Ver mi dinero',
  walletTitle: 'Pagado desde tu propia billetera',
  walletNote: 'Firma con la billetera que pagó. No cuesta nada.',
  noWallet:
    'En este navegador no hay ninguna billetera. Abre esta página en la app de tu billetera o en un navegador que tenga una.',
  needsScript: 'Para usar una billetera hace falta tener JavaScript activado.',
  withWallet: (wallet) => `Cancelar el envío con ${wallet}`,
  asks: 'Tu billetera te pide que lo confirmes.',
  refused: 'Tu billetera no ha firmado, así que no ha cambiado nada.',
  otherChain: 'Tu billetera no pudo cambiar a la red correcta, así que no ha cambiado nada.',
  notYours: 'Esta no es la billetera que pagó. No ha cambiado nada.',
  beingCollected: (minutes) =>
    `La persona a la que va dirigido está a punto de recogerlo. Si no termina, podrás cancelar el envío dentro de ${minutes} minutos como máximo.`,
  failed:
    'No ha funcionado, y todavía no se sabe si el envío se canceló. Mira el pago y, si sigue pendiente, vuelve a intentarlo.',
  over: 'El envío ya no se puede cancelar.',
  toLetter: 'Ver el pago',
};
