// SPDX-License-Identifier: MIT
// Replica of Basenames' reverse registrar: an account names itself under `80002105.reverse` (ENSIP-19).
pragma solidity 0.8.37;

interface IReverseNodes {
    function setSubnodeRecord(bytes32 node, bytes32 label, address owner, address resolver, uint64 ttl) external;
}

interface INames {
    function setName(bytes32 node, string calldata name) external;
}

contract ReverseRegistrar {
    bytes32 constant REVERSE_NODE = keccak256(abi.encodePacked(bytes32(0), keccak256("reverse")));
    bytes32 constant BASE_REVERSE_NODE = keccak256(abi.encodePacked(REVERSE_NODE, keccak256("80002105")));
    bytes16 constant DIGITS = "0123456789abcdef";

    IReverseNodes private registry;
    address private controller;
    address public defaultResolver;

    event BaseReverseClaimed(address indexed addr, bytes32 indexed node);

    error NotAuthorized(address addr, address sender);

    /// `resolver_` keeps the names that accounts set themselves.
    function init(address registry_, address controller_, address resolver_) external {
        require(address(registry) == address(0));
        registry = IReverseNodes(registry_);
        controller = controller_;
        defaultResolver = resolver_;
    }

    function node(address account) public pure returns (bytes32) {
        return keccak256(abi.encodePacked(BASE_REVERSE_NODE, labelOf(account)));
    }

    function setName(string calldata name) external returns (bytes32) {
        return setNameForAddr(msg.sender, msg.sender, defaultResolver, name);
    }

    /// Nobody checks that the account owns `name`, here or on Base: readers must.
    function setNameForAddr(address account, address owner, address resolver, string calldata name)
        public
        returns (bytes32)
    {
        bytes32 reverseNode = claimForBaseAddr(account, owner, resolver);
        INames(resolver).setName(reverseNode, name);
        return reverseNode;
    }

    function claimForBaseAddr(address account, address owner, address resolver) public returns (bytes32 reverseNode) {
        if (msg.sender != account && msg.sender != controller) revert NotAuthorized(account, msg.sender);
        reverseNode = node(account);
        emit BaseReverseClaimed(account, reverseNode);
        registry.setSubnodeRecord(BASE_REVERSE_NODE, labelOf(account), owner, resolver, 0);
    }

    /// Hash of the 40 lower-case hexadecimal digits.
    function labelOf(address account) private pure returns (bytes32) {
        bytes memory digits = new bytes(40);
        uint160 rest = uint160(account);
        for (uint256 index = 40; index > 0; index--) {
            digits[index - 1] = DIGITS[rest & 0xf];
            rest >>= 4;
        }
        return keccak256(digits);
    }
}
