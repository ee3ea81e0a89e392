/** Findings of the setup. */

export const FINDING_TEXTS = {
  pagesNamed: [
    (name: string) => `Paginile și catalogul numesc instituția „${name}”.`,
    (name: string) => `Pages and catalog name the institution "${name}".`,
  ],
  nameKnown: [
    (host: string, addresses: string) => `Numele ${host} duce la ${addresses}.`,
    (host: string, addresses: string) => `The name ${host} leads to ${addresses}.`,
  ],
  nameUnknown: [
    (host: string) =>
      `Numele ${host} nu duce nicăieri: cereți administratorului domeniului o înregistrare DNS către acest calculator.`,
    (host: string) =>
      `The name ${host} leads nowhere: ask the administrator of the domain for a DNS record that points to this computer.`,
  ],
  answers: [(base: string) => `Izvor răspunde la ${base}.`, (base: string) => `Izvor answers at ${base}.`],
  answersOther: [
    (base: string) => `La ${base} răspunde alt program decât Izvor.`,
    (base: string) => `A program other than Izvor answers at ${base}.`,
  ],
  answersNot: [
    (base: string, reason: string) =>
      `La ${base} nu răspunde încă nimic (${reason}). După pornire, „izvor doctor” întreabă din nou.`,
    (base: string, reason: string) =>
      `Nothing answers at ${base} yet (${reason}). After the start, "izvor doctor" asks again.`,
  ],
  nothingListens: ['acolo nu ascultă niciun program', 'nothing listens there'],
  tooSlow: ['nu a răspuns la timp', 'it did not answer in time'],
  portFree: [
    (where: string) => `Portul ${where} poate fi deschis.`,
    (where: string) => `The port ${where} can be opened.`,
  ],
  portOurs: [
    (where: string) => `Serviciul rulează deja pe portul ${where}.`,
    (where: string) => `The service already runs on the port ${where}.`,
  ],
  portTaken: [
    (where: string) => `Portul ${where} este ocupat de alt program.`,
    (where: string) => `Another program has the port ${where}.`,
  ],
  portForbidden: [
    (where: string) =>
      `Sistemul nu permite acestui utilizator portul ${where}: porturile sub 1024 cer drepturi de administrator.`,
    (where: string) =>
      `The system does not give this user the port ${where}: ports below 1024 need the rights of an administrator.`,
  ],
  portFails: [
    (where: string, reason: string) => `Portul ${where} nu poate fi deschis: ${reason}.`,
    (where: string, reason: string) => `The port ${where} cannot be opened: ${reason}.`,
  ],
  plain: [
    'Serviciul ascultă și pentru alte calculatoare, iar parolele lor circulă necriptate.',
    'The service listens for other computers, too, and their passwords travel unencrypted.',
  ],
  proxyNext: [
    'Proxy-ul trimite cererile către acest serviciu, cu antetul X-Forwarded-For. „izvor doctor” verifică antetul.',
    'The proxy passes requests on to this service, with the header X-Forwarded-For. "izvor doctor" checks the header.',
  ],
  acmePlace: [
    (where: string) =>
      `Serviciul ar asculta la ${where}, dar numele este căutat la portul 443. Dacă portul 443 nu este redirecționat aici, răspundeți la pasul „Adresa” cu 0.0.0.0 și 443.`,
    (where: string) =>
      `The service would listen on ${where}, but the name is asked at port 443. Unless that port is forwarded here, answer 0.0.0.0 and 443 at "Address".`,
  ],
  acmeNext: [
    'La următoarea pornire serviciul cere certificatul și îl reînnoiește singur.',
    'At the next start the service asks for its certificate, and renews it by itself.',
  ],
  certificateGood: [
    (day: string) => `Certificatul și cheia se potrivesc; certificatul este valabil până la ${day}.`,
    (day: string) => `Certificate and key belong together; the certificate is good until ${day}.`,
  ],
  certificateOver: [
    (day: string) => `Certificatul a expirat la ${day}.`,
    (day: string) => `The certificate ended on ${day}.`,
  ],
  certificateFails: [
    (reason: string) => `Certificatul nu poate fi folosit: ${reason}.`,
    (reason: string) => `The certificate cannot be used: ${reason}.`,
  ],
  mailToLog: [
    'Mesajele apar în jurnal, iar administratorul le transmite mai departe.',
    'Messages go to the log, and the operator passes them on.',
  ],
  testSubject: ['Mesaj de probă de la Izvor', 'Test mail from Izvor'],
  testText: [
    'Serverul de e-mail este configurat corect. Nu trebuie să răspundeți.',
    'The mail server is set up correctly. There is no need to answer.',
  ],
  mailSent: [
    (to: string) => `Un mesaj de probă a plecat către ${to}. Verificați că a sosit.`,
    (to: string) => `A test mail is on its way to ${to}. Check that it arrives.`,
  ],
  mailFails: [
    (reason: string) => `Mesajul de probă nu a putut fi trimis: ${reason}.`,
    (reason: string) => `The test mail could not be sent: ${reason}.`,
  ],
  backupMade: [
    (folder: string) => `O copie de rezervă a fost făcută și verificată în ${folder}.`,
    (folder: string) => `A backup was made and checked in ${folder}.`,
  ],
  backupEmpty: [
    (folder: string) => `Dosarul ${folder} poate fi folosit; încă nu există date de copiat.`,
    (folder: string) => `The folder ${folder} can be used; there are no data to back up yet.`,
  ],
  backupFails: [
    (reason: string) => `Copia de rezervă nu a reușit: ${reason}`,
    (reason: string) => `The backup failed: ${reason}`,
  ],
  startsAtBoot: [
    (file: string) => `Serviciul pornește odată cu calculatorul (${file}).`,
    (file: string) => `The service starts with the computer (${file}).`,
  ],
  startsAtSignIn: [
    (file: string) => `Serviciul pornește când vă autentificați pe acest calculator (${file}).`,
    (file: string) => `The service starts when you sign in to this computer (${file}).`,
  ],
  startsByHand: ['Serviciul nu pornește de la sine.', 'The service does not start by itself.'],
  startedNow: [
    (address: string) => `Serviciul rulează de acum la ${address}.`,
    (address: string) => `The service runs from now on at ${address}.`,
  ],
  startByRoot: [
    (command: string) => `Serviciul este instalat ca pachet. Un administrator rulează: ${command}`,
    (command: string) => `The service is installed as a package. An administrator runs: ${command}`,
  ],
  startFails: [
    (reason: string) => `Pornirea automată nu a putut fi schimbată: ${reason}`,
    (reason: string) => `The automatic start could not be changed: ${reason}`,
  ],
} as const
