// SPDX-License-Identifier: MIT
// A contract wallet with one owner (ERC-1271) and its factory, whose addresses are known before they hold code (ERC-6492).
pragma solidity 0.8.37;

contract SmartWallet {
    bytes4 constant ACCEPTED = 0x1626ba7e;
    bytes4 constant REFUSED = 0xffffffff;

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return REFUSED;
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? ACCEPTED : REFUSED;
    }

    /// Calls out in the wallet's name: what a payment from a contract wallet looks like on the chain.
    function execute(address to, uint256 value, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner, "SmartWallet: caller is not the owner");
        (bool success, bytes memory result) = to.call{value: value}(data);
        require(success, "SmartWallet: call failed");
        return result;
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }
}

contract SmartWalletFactory {
    event WalletCreated(address indexed wallet, address indexed owner);

    /// Answers the existing wallet on a second call, as ERC-6492 verifiers may make it.
    function create(address owner, bytes32 salt) external returns (address wallet) {
        wallet = walletOf(owner, salt);
        if (wallet.code.length > 0) return wallet;
        new SmartWallet{salt: salt}(owner);
        emit WalletCreated(wallet, owner);
    }

    function walletOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(type(SmartWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash)))));
    }
}
