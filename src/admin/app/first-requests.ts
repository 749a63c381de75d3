import { apiPaths } from '../../domain/api-paths.ts';
import { bearerStorageKey } from '../../domain/account/session.ts';
import { requestTimeoutMs } from '../../lib/request/api.ts';
import { postList } from '../posts/list.ts';

/**
 * A script for the head of the dashboard's page. Sends the first requests before the page's modules have loaded. The
 * modules take the responses from `window.firstAnswers` (`lib/signed-in-request.ts`). If the browser stores a bearer
 * token, the modules send the requests, because this script adds no token.
 */
export const firstRequests = `try{
if(!localStorage.getItem(${JSON.stringify(bearerStorageKey)})){
const send=path=>{const answer=fetch(path,{headers:{accept:'application/json'},signal:AbortSignal.timeout(${requestTimeoutMs})});answer.catch(()=>0);return[path,answer]};
window.firstAnswers=new Map([${JSON.stringify(apiPaths.authStatus)},...(location.search?[]:[${JSON.stringify(postList.firstPath)}])].map(send))
}
}catch{}`.replaceAll('\n', '');
