/**
 * OpenID Connect issuer for a laptop and for tests: `node e2e/issuer/issuer.mjs --redirect-uri URL …`. Its accounts are
 * in `accounts.mjs`; their passwords are known, so it serves loopback only. Sessions are kept in memory.
 */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { claimsOf, isPassword } from './accounts.mjs';
import { signingKeys } from './keys.mjs';
import * as pages from './pages.mjs';
import { USAGE, parse } from './settings.mjs';

const FORM_BYTES_MAX = 4096;
const SESSION_S = 8 * 60 * 60;
const INTERACTION_S = 10 * 60;
const INTERACTION = /^\/interaction\/[\w-]+$/;
const CLAIMS = ['name', 'preferred_username', 'email', 'email_verified', 'groups'];

let settings;
try {
  settings = parse(process.argv.slice(2), process.env);
} catch (error) {
  console.error(`error: ${error.message}\n\n${USAGE}`);
  process.exit(2);
}
await serve(settings);

async function serve({ host, port, hostName, ...rest }) {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address().port;
  const name = host.includes(':') ? `[${host}]` : host;
  server.on('request', handler({ ...rest, issuer: `http://${hostName ?? name}:${bound}` }));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
  console.log(`listening on ${name}:${bound}`);
}

/** Returns the function that handles all requests. */
function handler(options) {
  const provider = new Provider(options.issuer, configuration(options));
  provider.use(skipEmptySignOut);
  for (const event of ['server_error', 'backchannel.error']) {
    provider.on(event, (_context, error) => console.error(`${event}: ${error.stack}`));
  }
  const answer = provider.callback();
  const returnOrigins = [...options.redirectUris, ...options.postLogoutUris].map((url) => new URL(url).origin);
  const headers = Object.entries(pages.headersFor([...new Set(returnOrigins)]));
  const { host } = new URL(options.issuer);
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    // Against DNS rebinding. Also, the provider derives the addresses of its endpoints from this header.
    if (request.headers.host !== host) send(response, 421, pages.failed(`the host is not ${host}`));
    else if (INTERACTION.test(request.url)) {
      interact(provider, request, response).catch((error) => {
        if (!response.headersSent) send(response, error.status ?? 400, pages.failed(error.message));
        else response.destroy(error);
      });
    } else answer(request, response);
  };
}

function configuration(options) {
  const { jwks, cookies } = signingKeys(options.keys);
  return {
    jwks,
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.secret,
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.postLogoutUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: options.algorithm,
        ...(options.backChannelLogoutUri && {
          backchannel_logout_uri: options.backChannelLogoutUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    // Names of their own: cookies of a host are sent to all its ports, so also to the site.
    cookies: {
      keys: cookies,
      names: { session: 'issuer_session', interaction: 'issuer_interaction', resume: 'issuer_resume' },
    },
    // The claims are in the id token, as with the issuers of hospitals.
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'groups', 'name', 'email', 'email_verified'],
      profile: CLAIMS,
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    pkce: { required: () => true },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          const { entities, session } = context.oidc;
          const isProved = entities.IdTokenHint?.payload.sub === session.accountId;
          context.body = pages.confirmSignOut(form, isProved);
        },
        postLogoutSuccessSource: (context) => {
          context.body = pages.signedOut();
        },
      },
    },
    // The default refuses loopback. The only request is to the back-channel logout URI, which `parse` has checked.
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined }),
    ttl: { Session: SESSION_S, Grant: SESSION_S, Interaction: INTERACTION_S },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, account) => ({ accountId: account, claims: () => claimsOf(account) }),
    loadExistingGrant: granted,
    renderError: (context, { error, error_description: description }) => {
      context.type = 'html';
      context.body = pages.failed(description ?? error);
    },
  };
}

/** Without a session, the provider would answer a sign-out with a form that only a script sends. */
async function skipEmptySignOut(context, next) {
  await next();
  const { route, session, params } = context.oidc ?? {};
  if (route !== 'end_session' || context.status !== 200 || session?.accountId) return;
  context.redirect(params.post_logout_redirect_uri ?? context.oidc.urlFor('end_session_success'));
}

/** Grants the gateway everything that it asks for. The hospital's own site needs no consent. */
async function granted(context) {
  const { client, session, provider, requestParamScopes, requestParamClaims } = context.oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope([...requestParamScopes].join(' '));
  grant.addOIDCClaims([...requestParamClaims]);
  await grant.save();
  return grant;
}

/** Shows the sign-in page, or checks the account and continues the sign-in. */
async function interact(provider, request, response) {
  const { prompt } = await provider.interactionDetails(request, response);
  if (prompt.name !== 'login') throw new Error(`the prompt ${prompt.name} is not supported`);
  if (request.method !== 'POST') {
    send(response, 200, pages.signIn());
    return;
  }
  const form = new URLSearchParams(await read(request));
  const account = (form.get('account') ?? '').trim().toLowerCase();
  if (!isPassword(account, form.get('password') ?? '')) {
    send(response, 403, pages.signIn({ isRefused: true, account }));
    return;
  }
  await provider.interactionFinished(request, response, { login: { accountId: account } });
}

async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > FORM_BYTES_MAX) throw Object.assign(new Error('the form is too long'), { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function send(response, status, html) {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(html);
}
