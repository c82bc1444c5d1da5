// Stands in for the SDK's question to the metadata service, which region this machine is in: a function has its region in
// the environment, and nothing in a bundle should know how to reach an address that hands out credentials.

/** Undefined: not on such a machine. */
export const getInstanceMetadataRegion = async (): Promise<undefined> => undefined;
