/** A mail server (SMTP) that refuses every recipient as unknown and quotes the address, or takes every mail. */
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export class MailServer {
  /** Lines that named a refused recipient. */
  refused = [];
  /** Lines that named the recipient of a mail taken. */
  taken = [];
  /** Whether recipients are accepted. */
  accepts = false;
  #sockets = new Set();

  static async listen() {
    const self = new MailServer();
    self.server = createServer((socket) => self.#talk(socket));
    await new Promise((resolve) => self.server.listen(0, '127.0.0.1', resolve));
    self.port = self.server.address().port;
    return self;
  }

  #talk(socket) {
    let recipient = '';
    let isInMail = false;
    this.#sockets.add(socket);
    // A client may hang up at any point.
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    socket.write('220 mail.example\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (isInMail && line !== '.') return;
      if (isInMail) this.taken.push(recipient);
      const command = isInMail ? '.' : line.slice(0, 4).toUpperCase();
      if (command === 'RCPT') {
        recipient = line;
        if (!this.accepts) this.refused.push(line);
      }
      isInMail = command === 'DATA';
      const answers = {
        EHLO: '250 mail.example',
        RCPT: this.accepts ? '250 ok' : `550 5.1.1 ${line}: no such person`,
        DATA: '354 go ahead',
        QUIT: '221 bye',
      };
      socket.write(`${answers[command] ?? '250 ok'}\r\n`);
    });
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
