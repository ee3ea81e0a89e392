import { textTable } from '../../texts/texts.ts'

/** The file that a start on a desktop opens in the browser. */
export const OPENING_TEXTS = textTable({
  opening: ['Se deschide Izvor…', 'Izvor is being opened…'],
  open: ['Deschideți Izvor', 'Open Izvor'],
  failed: ['Izvor nu s-a putut deschide', 'Izvor could not be opened'],
})

/** The button that ends a service on a desktop, and the page after it. */
export const END_TEXTS = textTable({
  heading: ['Ați terminat?', 'Done?'],
  about: [
    'Izvor rulează până îl închideți. Datele rămân pe acest calculator și le regăsiți la următoarea deschidere.',
    'Izvor runs until you close it. The data stays on this computer and is there when you open it again.',
  ],
  end: ['Închideți Izvor', 'Close Izvor'],
  ended: ['Izvor s-a închis', 'Izvor is closed'],
  endedText: [
    'Puteți închide această filă. Ca să continuați, porniți din nou Izvor, ca prima dată.',
    'You can close this tab. To go on, start Izvor again, as you did the first time.',
  ],
})

/** The first page of a service on a desktop, `/open`. */
export const WELCOME_TEXTS = textTable({
  title: ['Primii pași', 'First steps'],
  heading: ['Bine ați venit', 'Welcome'],
  lead: [
    'Izvor vă publică tabelele ca date deschise: oamenii le găsesc, le filtrează și le descarcă, iar programele le citesc printr-un API. Deocamdată le vedeți numai dumneavoastră, pe acest calculator.',
    'Izvor publishes your tables as open data: people search, filter and download them, and programs read them through an API. For now only you see them, on this computer.',
  ],
  publish: ['Publicați un fișier', 'Publish a file'],
  publishText: [
    'Un tabel CSV, Excel, ODS sau JSON. Vedeți cum a fost citit și hotărâți dumneavoastră când se publică.',
    'A table as CSV, Excel, ODS or JSON. You see how it was read, and decide when it is published.',
  ],
  publishButton: ['Alegeți un fișier', 'Choose a file'],
  samples: ['Priviți date de probă', 'Look at sample data'],
  samplesText: [
    'Opt seturi de date inventate vă arată catalogul, graficele și hărțile. Pregătirea lor durează câteva secunde, iar după aceea le puteți șterge.',
    'Eight made-up datasets show what the catalog, charts and maps look like. Making them takes a few seconds, and you can delete them afterwards.',
  ],
  samplesButton: ['Pregătiți datele de probă', 'Make the sample data'],
  samplesComing: [
    'Datele de probă se pregătesc încă; apar în catalog pe rând.',
    'The sample data is still being made; it appears in the catalog one by one.',
  ],
  look: ['Priviți ce ați publicat', 'Look at what is published'],
  lookText: [
    'Catalogul arată seturile de date așa cum le văd cititorii.',
    'The catalog shows the datasets as readers see them.',
  ],
  lookButton: ['Deschideți catalogul', 'Open the catalog'],
  share: ['Lăsați-i și pe alții să le vadă', 'Let others see it'],
  shareText: [
    'Numele instituției, o adresă publică, HTTPS, e-mail și copii de rezervă: pas cu pas, fiecare încercat pe loc.',
    'The name of the institution, a public address, HTTPS, mail and backups: step by step, each tried on the spot.',
  ],
  shareButton: ['Începeți configurarea', 'Begin the setup'],
  place: [(folder: string) => `Datele sunt în ${folder}`, (folder: string) => `The data is in ${folder}`],
  closed: ['Porniți Izvor de pe acest calculator', 'Start Izvor from this computer'],
  closedText: [
    'Această pagină este a celui care folosește calculatorul. Porniți din nou Izvor, ca prima dată: vă deschide pagina fără parolă.',
    'This page belongs to the person who uses the computer. Start Izvor again, as you did the first time: it opens the page without a password.',
  ],
  entryUsed: [
    'Pagina de deschidere a fost deja folosită sau este mai veche de un minut.',
    'The opening page was already used, or is older than a minute.',
  ],
})
