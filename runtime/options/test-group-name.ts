/** The group by which tests steer a server over the wire. */
export const testGroupName = 'testing.kubeloom.dev';
