// What of a mail's HTML which mail programs do not support, by the data of caniemail.com.
// Usage: npm install caniemail && node scripts/check_mail.mjs MAIL.html
import { readFileSync } from "node:fs";
import { caniemail } from "caniemail";

const html = readFileSync(process.argv[2], "utf8");
const { issues } = caniemail({ clients: ["*"], html });
for (const kind of ["errors", "warnings"]) {
  const clientsOf = new Map();
  for (const [client, found] of issues[kind]) {
    for (const one of found) {
      const words = [one.title, ...one.notes].join("; ");
      clientsOf.set(words, (clientsOf.get(words) ?? new Set()).add(client));
    }
  }
  for (const [words, clients] of clientsOf) console.log(`${kind}: ${words}: ${[...clients].join(", ")}`);
}
