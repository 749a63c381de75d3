import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';

const example = new URL('../../../docs/deploy/nginx.conf', import.meta.url);

/**
 * Starts nginx with the example configuration in front of a server on this machine. Only the ports, the certificate
 * and, before nginx 1.25.1, the way to turn on HTTP/2 differ from the example. `directory` takes the place of `/var/www/site`.
 * @param directory a folder for the configuration and nginx's temporary files. The caller removes it.
 * @param behind the port of the server behind nginx.
 * @param options.tls false to accept plain HTTP, which saves the clients of a benchmark the work of TLS.
 */
export async function startNginx(directory: string, behind: number, { tls = true } = {}) {
  const port = await freePort();
  if (tls) makeCertificate(directory);
  const { stderr: version } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  const isOld = /\/1\.(1?\d|2[0-4])\.|\/1\.25\.0/.test(version);
  const tlsOptions = isOld ? ' ssl http2' : ' ssl';
  const site = (await readFile(example, 'utf8'))
    .replace('127.0.0.1:8888;', `127.0.0.1:${behind};`)
    .replaceAll(/ {2}listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen unix:${join(directory, 'plain.sock')};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port}${tls ? tlsOptions : ''};`)
    .replace(isOld ? '  http2 on;\n' : '', '')
    .replaceAll('/var/www/site', directory)
    .replace(/ {2}ssl_certificate .*\n/, tls ? `ssl_certificate ${join(directory, 'certificate.pem')};\n` : '')
    .replace(/ {2}ssl_certificate_key .*\n/, tls ? `ssl_certificate_key ${join(directory, 'key.pem')};\n` : '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  const config = join(directory, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; user root; worker_processes auto; worker_rlimit_nofile 16384; pid ${join(directory, 'pid')};
     error_log ${join(directory, 'error.log')};
     events { worker_connections 8192; } http { types { text/html html; } access_log off; ${temporary.join('\n')}\n${site} }`,
  );
  execFileSync('nginx', ['-t', '-q', '-c', config, '-p', directory], { stdio: 'pipe' });
  const nginx = spawn('nginx', ['-c', config, '-p', directory], { stdio: 'ignore' });
  while (!(await isListening(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with code ${nginx.exitCode}.`);
    await sleep(50);
  }
  return {
    port,
    pid: nginx.pid,
    async stop(): Promise<void> {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

/** Makes a certificate and its key for the server name of the example, as `certificate.pem` and `key.pem`. */
function makeCertificate(directory: string): void {
  const request =
    'req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 1 -subj /CN=www.example.com';
  execFileSync('openssl', request.split(' '), { cwd: directory, stdio: 'ignore' });
}
