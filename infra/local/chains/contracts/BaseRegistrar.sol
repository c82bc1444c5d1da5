// SPDX-License-Identifier: MIT
// Replica of the Basenames registrar: one ERC-721 token a name, token id = keccak256(label), with an expiry.
pragma solidity 0.8.37;

interface INodes {
    function owner(bytes32 node) external view returns (address);
    function setSubnodeOwner(bytes32 node, bytes32 label, address owner) external returns (bytes32);
    function setSubnodeRecord(bytes32 node, bytes32 label, address owner, address resolver, uint64 ttl) external;
}

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

contract BaseRegistrar {
    bytes32 constant ETH_NODE = keccak256(abi.encodePacked(bytes32(0), keccak256("eth")));
    bytes32 constant BASE_ETH_NODE = keccak256(abi.encodePacked(ETH_NODE, keccak256("base")));
    uint256 constant GRACE_PERIOD = 90 days;

    string public constant name = "Basenames";
    string public constant symbol = "BASENAME";

    INodes public registry;
    mapping(address controller => bool) public controllers;
    mapping(uint256 id => uint256) public nameExpires;
    mapping(address owner => uint256) private balances;
    mapping(uint256 id => address) private holders;
    mapping(uint256 id => address) private approvals;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed account, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool isApproved);
    event ControllerAdded(address indexed controller);
    event NameRegisteredWithRecord(uint256 indexed id, address indexed owner, uint256 expires, address resolver, uint64 ttl);
    event NameRenewed(uint256 indexed id, uint256 expires);

    error Expired(uint256 tokenId);
    error NotApprovedOwner(uint256 tokenId, address sender);
    error NotAvailable(uint256 tokenId);
    error NotRegisteredOrInGrace(uint256 tokenId);
    error OnlyController();
    error NotOwnerNorApproved();
    error TransferFromIncorrectOwner();
    error TransferToZeroAddress();
    error TransferToNonERC721ReceiverImplementer();
    error BalanceQueryForZeroAddress();

    modifier onlyController() {
        if (!controllers[msg.sender]) revert OnlyController();
        _;
    }

    /// Names the registry and the one controller that may sell names.
    function init(address registry_, address controller) external {
        require(address(registry) == address(0));
        registry = INodes(registry_);
        controllers[controller] = true;
        emit ControllerAdded(controller);
    }

    /// Reverts for an expired name and, its expiry being 0, for one that never was.
    function ownerOf(uint256 id) public view returns (address) {
        if (nameExpires[id] <= block.timestamp) revert Expired(id);
        return holders[id];
    }

    function isAvailable(uint256 id) public view returns (bool) {
        return nameExpires[id] + GRACE_PERIOD < block.timestamp;
    }

    /// Counts expired names too, as the original does.
    function balanceOf(address account) external view returns (uint256) {
        if (account == address(0)) revert BalanceQueryForZeroAddress();
        return balances[account];
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == bytes4(keccak256("reclaim(uint256,address)"));
    }

    function registerWithRecord(uint256 id, address to, uint256 duration, address resolver, uint64 ttl)
        external
        onlyController
        returns (uint256 expires)
    {
        if (!isAvailable(id)) revert NotAvailable(id);
        expires = block.timestamp + duration;
        nameExpires[id] = expires;
        if (holders[id] != address(0)) move(holders[id], address(0), id);
        move(address(0), to, id);
        registry.setSubnodeRecord(BASE_ETH_NODE, bytes32(id), to, resolver, ttl);
        emit NameRegisteredWithRecord(id, to, expires, resolver, ttl);
    }

    function renew(uint256 id, uint256 duration) external onlyController returns (uint256 expires) {
        if (isAvailable(id)) revert NotRegisteredOrInGrace(id);
        expires = nameExpires[id] + duration;
        nameExpires[id] = expires;
        emit NameRenewed(id, expires);
    }

    /// A transfer of the token leaves the registry's owner as it was; the new holder takes the node over here.
    function reclaim(uint256 id, address to) external {
        if (!isApprovedOrOwner(msg.sender, id)) revert NotApprovedOwner(id, to);
        registry.setSubnodeOwner(BASE_ETH_NODE, bytes32(id), to);
    }

    function approve(address account, uint256 id) external {
        address holder = ownerOf(id);
        if (msg.sender != holder && !isApprovedForAll[holder][msg.sender]) revert NotOwnerNorApproved();
        approvals[id] = account;
        emit Approval(holder, account, id);
    }

    function getApproved(uint256 id) external view returns (address) {
        return approvals[id];
    }

    function setApprovalForAll(address operator, bool isApproved) external {
        isApprovedForAll[msg.sender][operator] = isApproved;
        emit ApprovalForAll(msg.sender, operator, isApproved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        if (to == address(0)) revert TransferToZeroAddress();
        if (!isApprovedOrOwner(msg.sender, id)) revert NotOwnerNorApproved();
        if (holders[id] != from) revert TransferFromIncorrectOwner();
        move(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        safeTransferFrom(from, to, id, "");
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes memory data) public {
        transferFrom(from, to, id);
        if (to.code.length == 0) return;
        bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, from, id, data);
        if (answer != IERC721Receiver.onERC721Received.selector) revert TransferToNonERC721ReceiverImplementer();
    }

    function isApprovedOrOwner(address account, uint256 id) private view returns (bool) {
        address holder = ownerOf(id);
        return account == holder || approvals[id] == account || isApprovedForAll[holder][account];
    }

    function move(address from, address to, uint256 id) private {
        delete approvals[id];
        if (from != address(0)) balances[from] -= 1;
        if (to != address(0)) balances[to] += 1;
        holders[id] = to;
        emit Transfer(from, to, id);
    }
}
