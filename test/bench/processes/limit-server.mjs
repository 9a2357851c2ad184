// The limit: a bare node:https server that sends prepared bytes from memory over the same TLS. No server on this
// runtime can be faster. Commands use the same port: PUT /load?path=P stores the body as the response to requests for P; GET
// /watch stays open; POST /emit writes its body to every open watch.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { gzip } from 'node:zlib';

const [certFile, keyFile] = process.argv.slice(2);
const answers = new Map();
const watching = new Set();

function collect(request, done) {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => done(Buffer.concat(parts)));
}

const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
  const answer = answers.get(request.url);
  if (answer !== undefined && request.headers['accept-encoding'] === 'gzip') {
    gzip(answer, { level: 1 }, (_, packed) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
      response.end(packed);
    });
  } else if (answer !== undefined && request.method !== 'GET') {
    collect(request, () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  } else if (answer !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  } else if (request.url.startsWith('/load?path=')) {
    collect(request, (body) => {
      answers.set(decodeURIComponent(request.url.slice('/load?path='.length)), body);
      response.end();
    });
  } else if (request.url === '/watch') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watching.add(response);
    response.on('close', () => watching.delete(response));
  } else if (request.url === '/emit') {
    collect(request, (body) => {
      for (const watcher of watching) watcher.write(body);
      response.writeHead(200, { 'content-length': 2 });
      response.end('{}');
    });
  } else {
    response.writeHead(404, { 'content-length': 0 });
    response.end();
  }
});
// connections wait while the server is measured
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`ready ${server.address().port}`));
