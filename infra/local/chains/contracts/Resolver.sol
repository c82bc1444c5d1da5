// SPDX-License-Identifier: MIT
// Replica of Basenames' L2 resolvers (legacy and upgradeable): the records of a node.
pragma solidity 0.8.37;

interface INodeOwners {
    function owner(bytes32 node) external view returns (address);
}

contract Resolver {
    uint256 constant COIN_TYPE_ETH = 60;

    INodeOwners private registry;
    address private controller;
    address private reverseRegistrar;
    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private addresses;
    mapping(bytes32 node => string) public name;
    mapping(bytes32 node => mapping(string key => string)) public text;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    event AddrChanged(bytes32 indexed node, address account);
    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress);
    event NameChanged(bytes32 indexed node, string name);
    event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    error NotAuthorized(bytes32 node, address caller);

    modifier authorized(bytes32 node) {
        if (!isAuthorized(node)) revert NotAuthorized(node, msg.sender);
        _;
    }

    /// Besides a node's owner, the controller (at a sale) and the reverse registrar may write.
    function init(address registry_, address controller_, address reverseRegistrar_) external {
        require(address(registry) == address(0));
        registry = INodeOwners(registry_);
        controller = controller_;
        reverseRegistrar = reverseRegistrar_;
    }

    function addr(bytes32 node) external view returns (address) {
        bytes memory stored = addresses[node][COIN_TYPE_ETH];
        return stored.length == 20 ? address(bytes20(stored)) : address(0);
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return addresses[node][coinType];
    }

    function setAddr(bytes32 node, address account) external {
        setAddr(node, COIN_TYPE_ETH, abi.encodePacked(account));
    }

    function setAddr(bytes32 node, uint256 coinType, bytes memory account) public authorized(node) {
        addresses[node][coinType] = account;
        emit AddressChanged(node, coinType, account);
        if (coinType == COIN_TYPE_ETH) emit AddrChanged(node, address(bytes20(account)));
    }

    function setName(bytes32 node, string calldata newName) external authorized(node) {
        name[node] = newName;
        emit NameChanged(node, newName);
    }

    function setText(bytes32 node, string calldata key, string calldata value) external authorized(node) {
        text[node][key] = value;
        emit TextChanged(node, key, key, value);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function multicall(bytes[] calldata data) external returns (bytes[] memory) {
        return run(bytes32(0), data);
    }

    /// Refuses calls on any other node, so that a buyer cannot write a stranger's records through the controller.
    function multicallWithNodeCheck(bytes32 node, bytes[] calldata data) external returns (bytes[] memory) {
        return run(node, data);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        // ERC-165, addr, addr by coin type, name, text
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06 || id == 0x691f3431 || id == 0x59d1d43c;
    }

    function run(bytes32 node, bytes[] calldata data) private returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 index = 0; index < data.length; index++) {
            if (node != bytes32(0)) {
                require(bytes32(data[index][4:36]) == node, "multicall: All records must have a matching namehash");
            }
            (bool success, bytes memory result) = address(this).delegatecall(data[index]);
            require(success);
            results[index] = result;
        }
    }

    function isAuthorized(bytes32 node) private view returns (bool) {
        if (msg.sender == controller || msg.sender == reverseRegistrar) return true;
        address holder = registry.owner(node);
        return holder == msg.sender || isApprovedForAll[holder][msg.sender];
    }
}
