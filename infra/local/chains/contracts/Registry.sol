// SPDX-License-Identifier: MIT
// Replica of the ENS registry as Base runs it: who owns a node, and which resolver answers for it.
pragma solidity 0.8.37;

contract Registry {
    struct Entry {
        address owner;
        address resolver;
        uint64 ttl;
    }

    bytes32 constant ETH_NODE = keccak256(abi.encodePacked(bytes32(0), keccak256("eth")));
    bytes32 constant BASE_ETH_NODE = keccak256(abi.encodePacked(ETH_NODE, keccak256("base")));
    bytes32 constant REVERSE_NODE = keccak256(abi.encodePacked(bytes32(0), keccak256("reverse")));
    bytes32 constant BASE_REVERSE_NODE = keccak256(abi.encodePacked(REVERSE_NODE, keccak256("80002105")));

    mapping(bytes32 node => Entry) private entries;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;
    bool private initialized;

    event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner);
    event Transfer(bytes32 indexed node, address owner);
    event NewResolver(bytes32 indexed node, address resolver);
    event NewTTL(bytes32 indexed node, uint64 ttl);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    error Unauthorized();

    modifier authorized(bytes32 node) {
        address holder = entries[node].owner;
        if (holder != msg.sender && !isApprovedForAll[holder][msg.sender]) revert Unauthorized();
        _;
    }

    /// Hands `base.eth` to the registrar and Base's reverse node to the reverse registrar. Code is placed without
    /// running a constructor, so this is called once instead.
    function init(address registrar, address reverseRegistrar) external {
        require(!initialized);
        initialized = true;
        entries[BASE_ETH_NODE].owner = registrar;
        entries[BASE_REVERSE_NODE].owner = reverseRegistrar;
    }

    function owner(bytes32 node) external view returns (address) {
        return entries[node].owner;
    }

    function resolver(bytes32 node) external view returns (address) {
        return entries[node].resolver;
    }

    function ttl(bytes32 node) external view returns (uint64) {
        return entries[node].ttl;
    }

    function recordExists(bytes32 node) external view returns (bool) {
        return entries[node].owner != address(0);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function setOwner(bytes32 node, address newOwner) external authorized(node) {
        entries[node].owner = newOwner;
        emit Transfer(node, newOwner);
    }

    function setResolver(bytes32 node, address newResolver) external authorized(node) {
        setResolverAndTtl(node, newResolver, entries[node].ttl);
    }

    function setSubnodeOwner(bytes32 node, bytes32 label, address newOwner)
        public
        authorized(node)
        returns (bytes32 subnode)
    {
        subnode = keccak256(abi.encodePacked(node, label));
        entries[subnode].owner = newOwner;
        emit NewOwner(node, label, newOwner);
    }

    function setSubnodeRecord(bytes32 node, bytes32 label, address newOwner, address newResolver, uint64 newTtl) external {
        bytes32 subnode = setSubnodeOwner(node, label, newOwner);
        setResolverAndTtl(subnode, newResolver, newTtl);
    }

    function setResolverAndTtl(bytes32 node, address newResolver, uint64 newTtl) private {
        if (entries[node].resolver != newResolver) {
            entries[node].resolver = newResolver;
            emit NewResolver(node, newResolver);
        }
        if (entries[node].ttl != newTtl) {
            entries[node].ttl = newTtl;
            emit NewTTL(node, newTtl);
        }
    }
}
