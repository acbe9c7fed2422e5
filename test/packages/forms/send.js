import { request } from 'node:http';
import { Readable } from 'node:stream';
import axios from 'axios';
import FormData from 'form-data';
import nodeFetch from 'node-fetch';

const at = 'http://files.example/';

function aForm() {
  const form = new FormData();
  form.append('name', 'Müller');
  form.append('file', Buffer.from('bytes'), { filename: 'a.txt', contentType: 'text/plain' });
  form.append('stream', Readable.from([Buffer.from('piece')]), { filename: 'b.bin' });
  return form;
}

/** Sends the same form in each way that packages and their documents show. */
export default async () => {
  const form = aForm();
  await axios.post(at, form, { headers: form.getHeaders() });
  await axios.post(at, aForm());
  await nodeFetch(at, { method: 'POST', body: aForm() });
  await new Promise((resolve, reject) => {
    const piped = aForm();
    piped.pipe(request(at, { method: 'POST', headers: piped.getHeaders() }, resolve).on('error', reject));
  });
};
