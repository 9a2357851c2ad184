/** The folder of the page. The session's cookie is sent for paths below it only. */
export const pagePath = '/ui';
/** Trades the secret of a link for a session. */
export const loginPath = '/ui/login';
export const logoutPath = '/ui/logout';
/** Makes a link for the user of the request, which has the user's own credentials. */
export const linksPath = '/ui/links';
/** Says what happened lately on the server. */
export const activityPath = '/ui/activity';
/** The prefix of requests to the API with the session as their credentials. */
export const apiPrefix = '/ui/server';

/** Returns the path of a link. */
export const linkOf = (secret: string): string => `${loginPath}?link=${secret}`;
